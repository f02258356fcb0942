import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { OrderList, OrderSummary } from '#orders/order.contract';
import { type OrderCondition, type OrderQuestion, ordersQuery, searchOrders } from '../api/orders.js';
import { serverTime } from '../api/http.js';
import { onOrderChanges } from '../live/live-changes.js';
import type { LiveNews } from '../live/live-source.js';
import { MOST_ORDERS_A_PAGE } from '#orders/order.limits';
import { isBefore } from './sort-order.js';

// Collects a burst of changes into one request.
const GATHER_MS = 200;
// The server read the list a moment before its answer came.
const OVERLAP_MS = 2_000;
const RECENT_MS = 3_000;
const PAUSE_AFTER_FAILURE_MS = 5_000;

export type LiveOrders = Readonly<{
  /** Orders that belong in the list but are not in it yet. */
  fresh: number;
  /** More has changed than the page can follow. */
  isStale: boolean;
}>;

const NOTHING: LiveOrders = { fresh: 0, isStale: false };

/**
 * Keeps the list up to date: changed orders replace their rows where they stand. New ones are only counted, so that nothing moves under
 * the pointer. `loadedAt` restarts the count.
 */
export function useLiveOrders(question: OrderQuestion, loadedAt: number): LiveOrders {
  const client = useQueryClient();
  const [result, setResult] = useState(NOTHING);
  const follower = useRef<ChangeFollower>(undefined);
  const key = JSON.stringify(question);

  useEffect(() => {
    const followed = new ChangeFollower(client, question, {
      onFresh: (fresh) => setResult((before) => ({ ...before, fresh })),
      onStale: () => setResult((before) => ({ ...before, isStale: true })),
    });
    follower.current = followed;
    const stopListening = onOrderChanges((news) => followed.hear(news));
    return () => {
      stopListening();
      followed.stop();
    };
  }, [client, key]);
  useEffect(() => {
    setResult(NOTHING);
    follower.current?.loaded(loadedAt);
  }, [key, loadedAt]);

  return result;
}

type Handlers = Readonly<{ onFresh: (count: number) => void; onStale: () => void }>;

/** Reads the orders that have changed, one request after the other. */
class ChangeFollower {
  private readonly pending = new Set<string>();
  private readonly fresh = new Set<string>();
  /** When each change of the last seconds arrived. */
  private readonly recent = new Map<string, number>();
  private loadedAt = 0;
  private readonly stopped = new AbortController();
  private hasMissed = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isAsking = false;

  constructor(
    private readonly client: QueryClient,
    private readonly question: OrderQuestion,
    private readonly handlers: Handlers,
  ) {
    document.addEventListener('visibilitychange', this.schedule);
  }

  hear(news: LiveNews): void {
    if (news.kind === 'missed') this.hasMissed = true;
    else for (const { order_id: id } of news.changes) this.add(id);
    this.schedule();
  }

  /** @param at 0 while the list is being loaded */
  loaded(at: number): void {
    this.loadedAt = at;
    this.fresh.clear();
    // The answer may be older than a change that arrived before it.
    const from = Date.now() - RECENT_MS;
    for (const [id, heardAt] of this.recent) {
      if (heardAt >= from) this.pending.add(id);
      else this.recent.delete(id);
    }
    this.schedule();
  }

  stop(): void {
    clearTimeout(this.timer);
    document.removeEventListener('visibilitychange', this.schedule);
    this.stopped.abort();
  }

  private add(id: string): void {
    this.pending.add(id);
    this.recent.delete(id);
    this.recent.set(id, Date.now());
    const [oldest] = this.recent.keys();
    if (this.recent.size > MOST_ORDERS_A_PAGE && oldest !== undefined) this.recent.delete(oldest);
  }

  private readonly schedule = () => {
    const hasWork = this.hasMissed || this.pending.size > 0;
    if (!hasWork || this.isAsking || document.hidden || this.loadedAt === 0) return;
    this.timer ??= setTimeout(() => void this.run(), GATHER_MS);
  };

  private async run(): Promise<void> {
    this.timer = undefined;
    this.isAsking = true;
    let pauseMs = GATHER_MS;
    try {
      if (this.hasMissed) await this.findMissed();
      const ids = [...this.pending].slice(0, MOST_ORDERS_A_PAGE);
      for (const id of ids) this.pending.delete(id);
      if (ids.length > 0) await this.update(ids);
    } catch {
      this.hasMissed = true;
      pauseMs = PAUSE_AFTER_FAILURE_MS;
    }
    this.isAsking = false;
    if (this.stopped.signal.aborted) return;
    if (this.hasMissed) this.timer = setTimeout(() => void this.run(), pauseMs);
    else this.schedule();
  }

  private async findMissed(): Promise<void> {
    this.hasMissed = false;
    const since = new Date(serverTime(this.loadedAt) - OVERLAP_MS).toISOString();
    const where = { field: 'updated_at', op: '>', value: since } as const;
    const { orders, next_cursor: more } = await this.search({ where, sort: 'updated_at.desc' });
    const known = new Map(this.rows().map((row) => [row.id, row]));
    for (const order of orders) if (isOlder(known.get(order.id), order)) this.add(order.id);
    if (more !== null) this.handlers.onStale();
  }

  private async update(ids: readonly string[]): Promise<void> {
    const shown = new Set(this.rows().map(({ id }) => id));
    const known = ids.filter((id) => shown.has(id));
    const unknown = ids.filter((id) => !shown.has(id));
    if (known.length > 0) {
      const { orders } = await this.search({ where: oneOf(known), sort: 'placed_at.desc' });
      patch(this.client, ordersQuery(this.question).queryKey, new Map(orders.map((order) => [order.id, order])));
    }
    if (unknown.length > 0) {
      const { where, q, sort } = this.question;
      const found = await this.search({ where: where ? { and: [where, oneOf(unknown)] } : oneOf(unknown), q, sort });
      const fresh = found.orders.filter((order) => this.belongsAmongLoaded(order));
      for (const { id } of fresh) this.fresh.add(id);
      if (fresh.length > 0) this.handlers.onFresh(this.fresh.size);
    }
  }

  /** One that comes after the last loaded row may have been in the list before. */
  private belongsAmongLoaded(order: OrderSummary): boolean {
    if (order.stage !== 'placed' && !this.question.where) return false;
    const pages = this.data()?.pages ?? [];
    const last = pages.at(-1);
    const [lastRow] = last?.orders.slice(-1) ?? [];
    return !last?.next_cursor || !lastRow || isBefore(order, lastRow, this.question.sort ?? '');
  }

  private search(question: OrderQuestion): Promise<OrderList> {
    return searchOrders({ ...question, limit: MOST_ORDERS_A_PAGE }, this.stopped.signal);
  }

  private data(): InfiniteData<OrderList> | undefined {
    return this.client.getQueryData(ordersQuery(this.question).queryKey);
  }

  private rows(): readonly OrderSummary[] {
    return this.data()?.pages.flatMap(({ orders }) => orders) ?? [];
  }
}

const oneOf = (ids: readonly string[]): OrderCondition => ({ field: 'id', op: 'in', value: ids });

/** True if the order is not known, or only in an earlier state. */
function isOlder(known: OrderSummary | undefined, { version, desk_version: desk }: OrderSummary): boolean {
  return !known || known.version !== version || known.desk_version !== desk;
}

function patch(client: QueryClient, queryKey: readonly unknown[], changed: ReadonlyMap<string, OrderSummary>): void {
  client.setQueryData<InfiniteData<OrderList>>(
    queryKey,
    (data) => {
      const isPatched = (order: OrderSummary) => {
        const now = changed.get(order.id);
        return now !== undefined && isOlder(order, now);
      };
      if (!data?.pages.some(({ orders }) => orders.some(isPatched))) return data;
      const pages = data.pages.map((page) =>
        page.orders.some(isPatched)
          ? { ...page, orders: page.orders.map((order) => changed.get(order.id) ?? order) }
          : page,
      );
      return { ...data, pages };
    },
    { updatedAt: client.getQueryState(queryKey)?.dataUpdatedAt ?? Date.now() },
  );
}
