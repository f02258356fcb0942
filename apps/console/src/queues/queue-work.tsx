import { useState } from 'react';
import type { QueuedOrder } from '#desk/queue.contract';
import { lazyPart } from '../frame/lazy-part.js';
import { Failure } from '../frame/failure.js';
import { useShortcuts } from '../frame/use-shortcuts.js';
import { OrderSelection } from '../orders/order-selection.js';
import { HeldBar } from './held-bar.js';
import { OrderBeside } from './order-beside.js';
import { QueueOrders } from './queue-orders.js';
import { queueWords as words } from './queue-words.js';
import { remedyOf } from './remedies.js';
import { SnoozeDialog } from './snooze-dialog.js';
import { useAcceptKey } from './use-accept-key.js';
import type { HeldAct } from './use-held-act.js';
import type { QueueState } from './use-queue.js';
import { useSnoozing } from './use-snoozing.js';

const RemedyDialog = lazyPart(async () => (await import('./remedy-dialog.js')).RemedyDialog);

type Props = Readonly<{
  state: QueueState;
  acting: HeldAct;
  mayAct: boolean;
  /** The active order stands beside the list. */
  isSplit: boolean;
}>;

/** The orders of a queue, with what is done to them. */
export function QueueWork({ state, acting, mayAct, isSplit }: Props) {
  const { list, steady, place, current, activate } = state;
  const [news, setNews] = useState('');
  const snoozing = useSnoozing(steady.settle);
  const accept = useAcceptKey(state, acting, mayAct);
  const [remedied, setRemedied] = useState<QueuedOrder | null>(null);
  const remedy = remedied && remedyOf(remedied);
  // Those that have left the list do not count.
  const chosen = steady.rows.flatMap(({ order: { id }, isGone }) =>
    !isGone && state.selection.selected.has(id) ? [id] : [],
  );
  useShortcuts({
    s: () => current && mayAct && setRemedied(current),
    z: () => current && mayAct && snoozing.snooze(current),
  });
  return (
    <>
      <HeldBar
        acting={acting}
        onUndone={(orderId) => {
          activate(orderId);
          setNews(words.held.undone(orderId));
        }}
      />
      {snoozing.error && <Failure error={snoozing.error} />}
      <div className={isSplit ? 'queue-split' : ''}>
        <div>
          <QueueOrders
            state={state}
            hasFailed={list.error !== null}
            hasMore={list.hasNextPage}
            isLoadingMore={list.isFetchingNextPage}
            onMore={() => void list.fetchNextPage()}
            {...(mayAct && { onSnooze: snoozing.snooze, onRemedy: setRemedied })}
            {...(accept && { onAccept: accept })}
          />
        </div>
        {isSplit && current && (
          <OrderBeside key={current.id} id={current.id} nextId={steady.rows[place + 1]?.order.id} />
        )}
      </div>
      <OrderSelection isOff={list.isPlaceholderData} ids={chosen} onSelect={state.selection.setSelected} />
      <p role="status" className="visually-hidden">
        {news}
      </p>
      {remedied && remedy && (
        <RemedyDialog
          orderId={remedied.id}
          remedy={remedy}
          onClose={() => setRemedied(null)}
          onDone={(text) => {
            steady.settle(remedied.id);
            setRemedied(null);
            setNews(text);
          }}
        />
      )}
      {snoozing.asked !== null && (
        <SnoozeDialog
          orderId={snoozing.asked}
          onClose={snoozing.close}
          onDone={(orderId, text) => {
            steady.settle(orderId);
            snoozing.close();
            setNews(text);
          }}
        />
      )}
    </>
  );
}
