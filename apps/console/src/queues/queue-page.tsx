import './queues.css';
import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import type { Queue, QueuedOrder } from '#desk/queue.contract';
import { type QueuePart, queueOrdersQuery, queuesQuery, removeQueue, snoozeOrder } from '../api/queues.js';
import { may, sessionQuery } from '../api/session.js';
import { ConfirmDialog } from '../frame/confirm-dialog.js';
import { Failure } from '../frame/failure.js';
import { KeyList } from '../frame/key-list.js';
import { PageHead } from '../frame/page-head.js';
import { SkeletonRows } from '../frame/skeleton-rows.js';
import { useKeys } from '../frame/use-keys.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { onOrderChanges } from '../live/live-changes.js';
import { AnswerProvider } from '../orders/answering.js';
import { frame } from '../words/frame.js';
import { queueWords as words } from './queue-words.js';
import { EscalationDialog } from './escalation-dialog.js';
import { CustomQueueDialog } from './custom-queue-dialog.js';
import { QueueLine } from './queue-line.js';
import { QueueTable } from './queue-table.js';
import { QueueTabs } from './queue-tabs.js';
import { SnoozeDialog } from './snooze-dialog.js';
import { useActiveRow } from './use-active-row.js';
import { useSteadyOrders } from './use-steady-orders.js';

const FIRST_QUEUE = 'to_confirm';
// Collects a burst of changes into one request. The queues follow an order within a moment.
const GATHER_MS = 400;

/** Works through a queue from top to bottom: whatever is decided leaves the list, and the next order takes its place. */
export function QueuePage() {
  const { id = FIRST_QUEUE } = useParams({ strict: false });
  const { snoozed, escalated } = useSearch({ strict: false });
  const part: QueuePart = snoozed !== undefined ? 'snoozed' : escalated !== undefined ? 'escalated' : 'waiting';
  const navigate = useNavigate();
  const client = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const queues = useQuery(queuesQuery);
  const list = useInfiniteQuery(queueOrdersQuery(id, part));
  const orders = useMemo(() => list.data?.pages.flatMap((page) => page.orders) ?? [], [list.data]);
  const steady = useSteadyOrders(orders);
  const ids = steady.rows.map(({ order }) => order.id);
  const [place, setActive] = useActiveRow(ids, `${id} ${part}`);
  const queue = queues.data?.find((one) => one.id === id);
  const [snoozing, setSnoozing] = useState<string | null>(null);
  const [editing, setEditing] = useState<'new' | 'edit' | 'remove' | 'escalation' | null>(null);
  const [helpOpen, setHelpOpen] = useState(false);
  const [news, setNews] = useState('');
  const mayAct = may(session, 'orders:act');
  const mayEdit = mayAct && session?.operator.sellers === null;
  const mayEscalate = may(session, 'runs:act') && session?.operator.sellers === null;
  useLiveQueues();

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
  const row = steady.rows[place];
  const current = row?.isGone ? undefined : row?.order;
  const move = (by: number) => setActive(Math.max(0, Math.min(ids.length - 1, place + by)));
  const toQueue = Object.fromEntries(
    (queues.data ?? []).slice(0, 6).map((one, index) => [String(index + 1), () => show(one.id)]),
  );
  useKeys({
    ...toQueue,
    j: () => move(1),
    k: () => move(-1),
    n: () => move(1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => current && void navigate({ to: '/orders/$id', params: { id: current.id } }),
    z: () => mayAct && current && snooze(current),
    e: () => mayEscalate && queue && setEditing('escalation'),
    '?': () => setHelpOpen(true),
  });
  const error = list.error ?? queues.error ?? bringBack.error;
  // All of it at once: what comes later would push the rows down.
  const isLoading = list.isPending || queues.isPending;
  return (
    <div className="page">
      <PageHead title={words.title} hint={words.hint}>
        {queue && !queue.built_in && mayEdit && (
          <>
            <Button variant="default" onClick={() => setEditing('edit')}>
              {words.own.edit}
            </Button>
            <Button variant="default" onClick={() => setEditing('remove')}>
              {words.own.remove}
            </Button>
          </>
        )}
        {mayEdit && <Button onClick={() => setEditing('new')}>{words.own.add}</Button>}
      </PageHead>
      <QueueTabs queues={queues.data} chosen={id} />
      {error && <Failure error={error} retry={() => void refresh()} />}
      <QueueLine
        queue={queue}
        part={part}
        onShow={(chosen) => void navigate(listAddress(id, chosen))}
        {...(mayEscalate && { onEscalation: () => setEditing('escalation') })}
      />
      <AnswerProvider active={current} onAnswered={steady.settle}>
        {isLoading && <SkeletonRows />}
        {!isLoading && steady.rows.length > 0 && (
          <div className="queue-rows" {...steady.over}>
            <div className="news-line" role="status">
              {steady.added > 0 && (
                <button type="button" className="fresh" onClick={steady.release}>
                  {words.fresh(steady.added)}
                </button>
              )}
            </div>
            <QueueTable
              label={words.list(queue?.name ?? '')}
              rows={steady.rows}
              active={place}
              onActive={setActive}
              {...(mayAct && { onSnooze: snooze })}
            />
          </div>
        )}
        {!isLoading && steady.rows.length === 0 && !list.error && (
          <p className="empty" role="status">
            {NOTHING[part]}
          </p>
        )}
      </AnswerProvider>
      {list.hasNextPage && (
        <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {words.loadMore}
        </Button>
      )}
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
      {(editing === 'new' || (editing === 'edit' && queue)) && (
        <CustomQueueDialog
          queue={editing === 'edit' ? queue : undefined}
          onClose={() => setEditing(null)}
          onSaved={(saved) => {
            setEditing(null);
            show(saved.id, true);
          }}
        />
      )}
      {editing === 'escalation' && queue && (
        <EscalationDialog
          queue={queue}
          onClose={() => setEditing(null)}
          onSaved={(text) => {
            setEditing(null);
            setNews(text);
          }}
        />
      )}
      {editing === 'remove' && queue && (
        <RemoveDialog queue={queue} onClose={() => setEditing(null)} onRemoved={() => show(FIRST_QUEUE, true)} />
      )}
      <KeyList keys={words.keys} opened={helpOpen} onClose={() => setHelpOpen(false)} />
    </div>
  );
}

const listAddress = (id: string, part: QueuePart) =>
  ({ to: '/work/$id', params: { id }, search: part === 'waiting' ? {} : { [part]: '1' } }) as const;

const NOTHING: Readonly<Record<QueuePart, string>> = {
  waiting: words.empty,
  snoozed: words.noneSnoozed,
  escalated: words.noneEscalated,
};

/** Asks again soon after an order has changed. */
function useLiveQueues(): void {
  const client = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onOrderChanges(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void client.invalidateQueries({ queryKey: queuesQuery.queryKey });
      }, GATHER_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [client]);
}

type RemoveProps = Readonly<{ queue: Queue; onClose: () => void; onRemoved: () => void }>;

function RemoveDialog({ queue, onClose, onRemoved }: RemoveProps) {
  const client = useQueryClient();
  const remove = useMutationOnce({
    mutationFn: () => removeQueue(queue.id),
    onSuccess: async () => {
      onClose();
      onRemoved();
      await client.invalidateQueries({ queryKey: queuesQuery.queryKey });
    },
  });
  return (
    <ConfirmDialog
      title={words.own.removeTitle(queue.name)}
      apply={words.own.removeApply}
      cancel={frame.cancel}
      error={remove.error}
      busy={remove.isPending}
      isFinal
      onApply={() => remove.mutate()}
      onClose={onClose}
    >
      {words.own.removeText}
    </ConfirmDialog>
  );
}
