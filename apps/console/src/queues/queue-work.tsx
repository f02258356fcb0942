import { useState } from 'react';
import { Failure } from '../frame/failure.js';
import { useShortcuts } from '../frame/use-shortcuts.js';
import { HeldBar } from './held-bar.js';
import { QueueOrders } from './queue-orders.js';
import { queueWords as words } from './queue-words.js';
import { SnoozeDialog } from './snooze-dialog.js';
import { useAcceptKey } from './use-accept-key.js';
import type { HeldAct } from './use-held-act.js';
import type { QueueState } from './use-queue.js';
import { useSnoozing } from './use-snoozing.js';

type Props = Readonly<{ state: QueueState; acting: HeldAct; mayAct: boolean }>;

/** The orders of a queue, with what is done to them. */
export function QueueWork({ state, acting, mayAct }: Props) {
  const { list, steady, current, activate } = state;
  const [news, setNews] = useState('');
  const snoozing = useSnoozing(steady.settle);
  const accept = useAcceptKey(state, acting, mayAct);
  useShortcuts({ z: () => current && mayAct && snoozing.snooze(current) });
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
      <QueueOrders
        state={state}
        hasFailed={list.error !== null}
        hasMore={list.hasNextPage}
        isLoadingMore={list.isFetchingNextPage}
        onMore={() => void list.fetchNextPage()}
        {...(mayAct && { onSnooze: snoozing.snooze })}
        {...(accept && { onAccept: accept })}
      />
      <p role="status" className="visually-hidden">
        {news}
      </p>
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
