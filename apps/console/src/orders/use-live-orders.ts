import { type InfiniteData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { OrderList, OrderSummary } from '#contracts/backoffice/order';
import { type OrderCondition, type OrderQuestion, ordersQuery, searchOrders } from '../api/orders.js';

const EVERY_MS = 1_000;
const MOST = 200;
const OVERLAP_MS = 2_000;
const BEGINNING = new Date(0).toISOString();

/**
 * Asks each second what has changed since the newest change it knows. Changed orders replace their rows where they stand. New ones
 * are only counted, so that nothing moves under the pointer. `loadedAt` restarts the count.
 */
export function useLiveOrders(question: OrderQuestion, loadedAt: number): number {
  const client = useQueryClient();
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  /** The newest change when the list was loaded, and the newest one seen. */
  const from = useRef<string | null>(null);
  const since = useRef(BEGINNING);
  const { queryKey } = ordersQuery(question);
  const key = JSON.stringify(queryKey);

  useEffect(() => {
    from.current = null;
    setFresh(new Set());
  }, [key, loadedAt]);

  useQuery({
    queryKey: ['changed-orders', key, loadedAt],
    queryFn: async ({ signal }) => {
      if (from.current === null) {
        const { orders } = await searchOrders({ sort: 'updated_at.desc', limit: 1 }, signal);
        from.current = since.current = orders[0]?.updated_at ?? BEGINNING;
        return 0;
      }
      const where = later('updated_at', overlapping(since.current));
      const { orders } = await searchOrders({ where, sort: 'updated_at.desc', limit: MOST }, signal);
      since.current = orders[0]?.updated_at ?? since.current;
      patch(client, queryKey, new Map(orders.map((order) => [order.id, order])));
      const start = from.current;
      const added = await matching(
        question,
        orders.filter(({ placed_at }) => placed_at > start),
        start,
        signal,
      );
      if (added.length > 0) setFresh((before) => withAll(before, added));
      return orders.length;
    },
    enabled: loadedAt > 0,
    refetchInterval: EVERY_MS,
    gcTime: 0,
    staleTime: 0,
  });

  return fresh.size;
}

/** Times of changes do not follow the order of their commits, so each poll looks back a little. */
const overlapping = (since: string) => new Date(Date.parse(since) - OVERLAP_MS).toISOString();

function withAll(known: ReadonlySet<string>, orders: readonly OrderSummary[]): ReadonlySet<string> {
  const isKnown = orders.every(({ id }) => known.has(id));
  return isKnown ? known : new Set([...known, ...orders.map(({ id }) => id)]);
}

const later = (field: string, value: string): OrderCondition => ({ field, op: '>', value });

/** Those of the new orders that the filters of the list let through. */
async function matching(
  { where, q }: OrderQuestion,
  placed: readonly OrderSummary[],
  after: string,
  signal: AbortSignal,
): Promise<readonly OrderSummary[]> {
  if (placed.length === 0 || (!where && q === undefined)) return placed.filter(({ stage }) => stage === 'placed');
  const isNew = later('placed_at', after);
  const found = await searchOrders(
    { where: where ? { and: [where, isNew] } : isNew, q, sort: 'placed_at.desc', limit: MOST },
    signal,
  );
  return found.orders;
}

const isOlder = ({ id, version, assignee }: OrderSummary, changed: ReadonlyMap<string, OrderSummary>) => {
  const now = changed.get(id);
  return now !== undefined && (now.version !== version || now.assignee !== assignee);
};

function patch(client: QueryClient, queryKey: readonly unknown[], changed: ReadonlyMap<string, OrderSummary>): void {
  client.setQueryData<InfiniteData<OrderList>>(
    queryKey,
    (data) => {
      if (!data?.pages.some(({ orders }) => orders.some((order) => isOlder(order, changed)))) return data;
      const pages = data.pages.map((page) => ({
        ...page,
        orders: page.orders.map((order) => changed.get(order.id) ?? order),
      }));
      return { ...data, pages };
    },
    { updatedAt: client.getQueryState(queryKey)?.dataUpdatedAt ?? Date.now() },
  );
}
