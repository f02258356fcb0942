import './queues.css';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { QueuedOrder } from '#desk/queue.contract';
import { queuesQuery, snoozeOrder } from '../api/queues.js';
import { may, sessionQuery } from '../api/session.js';
import { Failure } from '../frame/failure.js';
import { ShortcutList } from '../frame/shortcut-list.js';
import { PageHead } from '../frame/page-head.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { type Editing, QueueDialogs } from './queue-dialogs.js';
import { QueueLine } from './queue-line.js';
import { QueueOrders } from './queue-orders.js';
import { QueueTabs } from './queue-tabs.js';
import { queueWords as words } from './queue-words.js';
import { SnoozeDialog } from './snooze-dialog.js';
import { useQueue } from './use-queue.js';
import { useQueueShortcuts } from './use-queue-shortcuts.js';

/** Works through a queue from top to bottom: whatever is decided leaves the list, and the next order takes its place. */
export function QueuePage() {
  const state = useQueue();
  const { id, part, queue, queues, list, steady } = state;
  const navigate = useNavigate();
  const client = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const [snoozing, setSnoozing] = useState<string | null>(null);
  const [editing, setEditing] = useState<Editing | null>(null);
  const [helpOpen, setHelpOpen] = useState(false);
  const [news, setNews] = useState('');
  const mayAct = may(session, 'orders:act');
  const seesAll = session?.operator.sellers === null;
  const refresh = () => client.invalidateQueries({ queryKey: queuesQuery.queryKey });
  const bringBack = useMutationOnce({
    keyOf: (order) => order,
    mutationFn: (order: string) => snoozeOrder(order, null),
    onSuccess: (_, order) => {
      steady.settle(order);
      return refresh();
    },
  });
  const snooze = (order: QueuedOrder) =>
    order.snoozed_until === null ? setSnoozing(order.id) : bringBack.mutate(order.id);
  const show = (to: string, ignoreBlocker = false) =>
    void navigate({ to: '/work/$id', params: { id: to }, ignoreBlocker });
  const escalate = may(session, 'runs:act') && seesAll ? () => setEditing('escalation') : undefined;
  useQueueShortcuts(state, { snooze: mayAct ? snooze : undefined, escalate, show, help: () => setHelpOpen(true) });
  const error = state.error ?? bringBack.error;
  return (
    <div className="page">
      <PageHead title={words.title} hint={words.hint}>
        {mayAct && seesAll && <CustomQueueButtons isCustom={queue?.built_in === false} onEdit={setEditing} />}
      </PageHead>
      <QueueTabs queues={queues} chosen={id} />
      {error && <Failure error={error} retry={() => void refresh()} />}
      <QueueLine
        queue={queue}
        part={part}
        onShow={(chosen) =>
          void navigate({ to: '/work/$id', params: { id }, search: chosen === 'waiting' ? {} : { [chosen]: '1' } })
        }
        {...(escalate && { onEscalation: escalate })}
      />
      <QueueOrders
        state={state}
        hasFailed={list.error !== null}
        hasMore={list.hasNextPage}
        isLoadingMore={list.isFetchingNextPage}
        onMore={() => void list.fetchNextPage()}
        {...(mayAct && { onSnooze: snooze })}
      />
      <p role="status" className="visually-hidden">
        {news}
      </p>
      {snoozing !== null && (
        <SnoozeDialog
          orderId={snoozing}
          onClose={() => setSnoozing(null)}
          onDone={(text) => {
            steady.settle(snoozing);
            setSnoozing(null);
            setNews(text);
          }}
        />
      )}
      <QueueDialogs
        editing={editing}
        queue={queue}
        onClose={() => setEditing(null)}
        onShow={(to) => show(to, true)}
        onNews={setNews}
      />
      <ShortcutList keys={words.keys} opened={helpOpen} onClose={() => setHelpOpen(false)} />
    </div>
  );
}

type ButtonProps = Readonly<{ isCustom: boolean; onEdit: (what: Editing) => void }>;

/** Built-in queues cannot be changed. */
function CustomQueueButtons({ isCustom, onEdit }: ButtonProps) {
  return (
    <>
      {isCustom && (
        <>
          <Button variant="default" onClick={() => onEdit('edit')}>
            {words.custom.edit}
          </Button>
          <Button variant="default" onClick={() => onEdit('remove')}>
            {words.custom.remove}
          </Button>
        </>
      )}
      <Button onClick={() => onEdit('new')}>{words.custom.add}</Button>
    </>
  );
}
