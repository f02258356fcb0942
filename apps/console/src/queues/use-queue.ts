import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { type QueuePart, queueOrdersQuery, queuesQuery } from '../api/queues.js';
import { mayLeave } from '../frame/unsaved.js';
import { useSelection } from '../frame/use-selection.js';
import { onOrderChanges } from '../live/live-changes.js';
import { useActiveRow } from './use-active-row.js';
import { useSteadyOrders } from './use-steady-orders.js';

export const FIRST_QUEUE = 'to_confirm';
// Collects a burst of changes into one request. The queues follow an order within a moment.
const GATHER_MS = 400;

/**
 * The queue that the address names, and its orders, which stay in their places until the person lets them move.
 * @param taken orders that are not shown
 */
export function useQueue(taken: ReadonlySet<string>) {
  const { id = FIRST_QUEUE } = useParams({ strict: false });
  const search = useSearch({ strict: false });
  const { snoozed, escalated } = search;
  const part: QueuePart = snoozed !== undefined ? 'snoozed' : escalated !== undefined ? 'escalated' : 'waiting';
  const queues = useQuery(queuesQuery);
  const list = useInfiniteQuery(queueOrdersQuery(id, part));
  const orders = useMemo(
    () => list.data?.pages.flatMap((page) => page.orders.filter((order) => !taken.has(order.id))) ?? [],
    [list.data, taken],
  );
  const steady = useSteadyOrders(orders);
  const ids = steady.rows.map(({ order }) => order.id);
  const shown = `${id} ${part}`;
  const { place, setActive, activate } = useActiveRow(ids, shown);
  const selection = useSelection(ids);
  const { setSelected } = selection;
  useEffect(() => setSelected(new Set()), [shown, setSelected]);
  useLiveQueues();
  const row = steady.rows[place];
  return {
    id,
    part,
    queues: queues.data,
    queue: queues.data?.find((one) => one.id === id),
    list,
    steady,
    place,
    /** Nothing that is written beside the list is lost by it. */
    setActive: (index: number) => void mayLeave().then((leaves) => leaves && setActive(index)),
    activate,
    selection,
    /** The order that the keys act on. */
    current: row?.isGone ? undefined : row?.order,
    error: list.error ?? queues.error,
    // All of it at once: what comes later would push the rows down.
    isLoading: list.isPending || queues.isPending,
  };
}

export type QueueState = ReturnType<typeof useQueue>;

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
