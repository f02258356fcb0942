import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { QUEUES } from '#orders/order-condition.contract';
import type { DueField } from '#orders/order-search.contract';
import { DatabaseClock } from '#database/database-clock';
import type { Clock } from '#base/clock';
import { type ListedOrder, LISTED_COLUMNS, LISTED_SOURCE } from '#orders/order-queries';
import { isKeptFor, isSeenBy } from '#accounts/seen-orders';
import { marks } from '#orders/queue-clock';
import { SharedCounts } from './shared-counts.js';

export type BuiltInQueue = (typeof QUEUES)[number];

/** `next_due_at`: the due time of the first order, null if there is none. `snoozed` orders are not part of `count`. */
export type QueueCounts = Readonly<{
  count: number;
  overdue: number;
  next_due_at: Date | null;
  snoozed: number;
  escalated: number;
}>;

/** An order that stays in its queue for longer is marked, given to `assignee` (an operator's id), and announced to the address `notify`. */
export type EscalationRule = Readonly<{ after_minutes: number; assignee: string | null; notify: string | null }>;

/** `assignee_name`: null without an assignee. */
export type NamedEscalation = EscalationRule & Readonly<{ assignee_name: string | null }>;

/** Where an open order is. `escalated_at`: since when it is escalated in a queue of one's own. */
export type OrderPlace = Readonly<{ place: BuiltInQueue; escalated_at: Date | null }>;

/** The end of a page. `at` is ISO 8601, or `infinity` for orders without a due time. */
export type QueuePosition = Readonly<{ at: string; id: string }>;

export type QueuedOrder = ListedOrder &
  Readonly<{ queue: BuiltInQueue; due_at: Date | null; snoozed_until: Date | null; escalated_at: Date | null }>;

type Page = Readonly<{ limit: number; after: QueuePosition | undefined; snoozed: boolean; escalated: boolean }>;

// Once the counts are known, readers who keep asking wait for none. With the half second of the worker, they are less than a second behind.
const PACE = { freshMs: 150, share: 0, slowMs: 0 };

type CountsOfQueues = ReadonlyMap<BuiltInQueue, QueueCounts>;

/** The built-in queues. Each order is in one of them at most. */
@Injectable()
export class WorkQueues {
  private readonly shared: SharedCounts<CountsOfQueues>;

  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) clock: Clock,
  ) {
    this.shared = new SharedCounts(clock, PACE);
  }

  /**
   * At most 300 ms old, plus the time to read them.
   * @param sellers only orders of these; null for all
   */
  async counts(sellers: readonly string[] | null): Promise<CountsOfQueues> {
    return await this.shared.of(JSON.stringify(sellers), () => this.read(sellers));
  }

  /** The next counts include what has been changed until now. */
  forgetCounts(): void {
    this.shared.forget();
  }

  private async read(sellers: readonly string[] | null): Promise<CountsOfQueues> {
    const { rows } = await this.pool.query<QueueCounts & { id: BuiltInQueue }>({
      name: 'queue-counts',
      text: COUNTS,
      values: [sellers, QUEUES],
    });
    return new Map(rows.map(({ id, ...counts }) => [id, counts]));
  }

  /** Of the queues that have one. */
  async escalations(): Promise<ReadonlyMap<string, NamedEscalation>> {
    const { rows } = await this.pool.query<NamedEscalation & { queue: string }>({
      name: 'queue-escalations',
      text: ESCALATIONS,
    });
    return new Map(rows.map(({ queue, ...rule }) => [queue, rule]));
  }

  /** By due time, orders without one last. Pages are by keyset. */
  async page(
    queue: BuiltInQueue,
    { limit, after, ...part }: Page,
    sellers: readonly string[] | null,
  ): Promise<QueuedOrder[]> {
    const { rows } = await this.pool.query<QueuedOrder>(pageOf(part), [
      queue,
      sellers,
      after?.at ?? '-infinity',
      after?.id ?? '',
      limit,
    ]);
    return rows;
  }

  /** Where these orders of a queue of one's own are. An order that is in no built-in queue, or that is snoozed, is missing. */
  async placesOf(
    orderIds: readonly string[],
    own: Readonly<{ id: string; due: Readonly<{ field: DueField }> }>,
  ): Promise<ReadonlyMap<string, OrderPlace>> {
    const { rows } = await this.pool.query<OrderPlace & { order_id: string }>(placesBy(own.due.field), [
      orderIds,
      own.id,
    ]);
    return new Map(rows.map(({ order_id: id, ...place }) => [id, place]));
  }
}

const COUNTS = `
  select queue.id, coalesce(counted.count, 0)::int as count,
    case queue.id when 'overdue' then coalesce(counted.count, 0) else 0 end::int as overdue,
    nullif(first.due_at, 'infinity') as next_due_at,
    (select count(*)::int from work_items w where w.snoozed_until is not null and w.queue = queue.id
      and ${isKeptFor('$1', 'w')}) as snoozed,
    (select count(*)::int from work_items w where w.escalated_at is not null and w.place = queue.id
      and ${isKeptFor('$1', 'w')}) as escalated
  from unnest($2::text[]) with ordinality as queue (id, place)
  left join lateral (select sum(c.count) as count from work_counts c
    where c.place = queue.id and ${isKeptFor('$1', 'c')}) as counted on true
  cross join lateral (select case when $1::text[] is null
    then (select w.due_at from work_items w where w.place = queue.id order by w.due_at limit 1)
    else (select min(own.due_at) from unnest($1::text[]) as seller (name) cross join lateral (
      select w.due_at from work_items w where w.seller = seller.name and w.place = queue.id order by w.due_at limit 1) as own)
    end as due_at) as first
  order by queue.place`;

const ESCALATIONS = `
  select rule.queue, rule.after_minutes, rule.assignee, rule.notify, coalesce(p.name, rule.assignee) as assignee_name
  from queue_escalations rule left join operators p on p.id = rule.assignee`;

const placesBy = (field: DueField) => `
  select w.order_id, w.place, e.escalated_at
  from work_items w join orders o on o.id = w.order_id left join own_escalations e on ${marks('$2', field)}
  where w.order_id = any($1) and w.place is not null`;

const pageOf = ({ snoozed, escalated }: Pick<Page, 'snoozed' | 'escalated'>) => `
  with page as materialized (
    select w.* from work_items w
    where ${snoozed ? 'w.queue = $1 and w.snoozed_until is not null' : 'w.place = $1'}
      and ${isKeptFor('$2', 'w')}${escalated ? ' and w.escalated_at is not null' : ''}
      and (w.due_at, w.order_id) > ($3::timestamptz, $4)
    order by w.due_at, w.order_id limit $5)
  select ${LISTED_COLUMNS}, coalesce(page.place, page.queue) as queue, nullif(page.due_at, 'infinity') as due_at, page.snoozed_until, page.escalated_at
  from page join ${LISTED_SOURCE.replace('orders o', 'orders o on o.id = page.order_id')}
  where ${isSeenBy('$2')}
  order by page.due_at, page.order_id`;
