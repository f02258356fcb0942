import { Injectable } from '@nestjs/common';
import { catalogueIdSql } from './catalogue-id.js';

import { type ClientBase, Pool } from 'pg';
import { inTransaction } from '#database/transaction';
import { Clock } from '#base/clock';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

// Teams and tours return every year.
const DAYS_OF_SALES = 400;
// A buyer of more is a reseller. Such purchases say nothing about taste, and would make millions of pairs.
const MAX_EVENTS_PER_BUYER = 50;
// A recommendation shows ten; further ones hardly ever appear.
const MAX_PAIRS_PER_PERFORMER = 100;
// The catalogue and the date window change without an order.
const MAX_AGE_MS = HOUR_MS;
// With millions of orders a run takes minutes. The pause keeps the database free for other work.
const PAUSE_FACTOR = 20;

// The key of an advisory lock.
const LOCK_KEY = 8146;

/** The last run, and the end of the feed at that time. */
type LastRun = Readonly<{ position: number; at: number; tookMs: number }>;

/**
 * Maintains the table of performers that the same people buy tickets for. A buyer is the digest of an email address. No personal
 * data is read, and erased buyers no longer count.
 */
@Injectable()
export class BoughtTogether {
  private lastRun: LastRun | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  /** Recomputes the table if orders have changed, and returns whether it did. Only one of several processes does the work. */
  async refresh(): Promise<boolean> {
    const { rows } = await this.pool.query<{ position: number }>(
      'select coalesce(max(position), 0) as position from feed',
    );
    const [position, at] = [rows[0]?.position ?? 0, this.clock.now()];
    if (this.lastRun && !isDue(this.lastRun, position, at)) return false;
    await tryWithLock(this.pool, (client) => recompute(client, at));
    this.lastRun = { position, at, tookMs: this.clock.now() - at };
    return true;
  }

  /** Recomputes the table unconditionally. */
  async rebuild(onStart: (orders: number) => void = () => undefined): Promise<RebuildResult> {
    const at = this.clock.now();
    const { rows } = await this.pool.query<{ orders: number }>(ORDER_COUNT, [sinceOf(at)]);
    const orders = rows[0]?.orders ?? 0;
    onStart(orders);
    const pairs = await withLock(this.pool, async (client) => {
      await recompute(client, at);
      const { rows: counted } = await client.query<{ pairs: number }>(PAIRS);
      return counted[0]?.pairs ?? 0;
    });
    return { orders, pairs };
  }
}

/** The number of orders that were read and of pairs that were written. */
export type RebuildResult = Readonly<{ orders: number; pairs: number }>;

const sinceOf = (at: number) => new Date(at - DAYS_OF_SALES * DAY_MS).toISOString();

async function recompute(client: ClientBase, at: number): Promise<void> {
  await client.query(RECOMPUTE, [sinceOf(at), MAX_EVENTS_PER_BUYER, MAX_PAIRS_PER_PERFORMER]);
}

function isDue(done: LastRun, position: number, at: number): boolean {
  const sinceMs = at - done.at;
  return sinceMs >= PAUSE_FACTOR * done.tookMs && (position !== done.position || sinceMs >= MAX_AGE_MS);
}

/** Skips the work if another process is doing the same. */
function tryWithLock(pool: Pool, work: (client: ClientBase) => Promise<void>): Promise<void> {
  return inTransaction(pool, async (client) => {
    await client.query(`set local statement_timeout = '10min'; set local work_mem = '64MB'`);
    const { rows } = await client.query<{ turn: boolean }>('select pg_try_advisory_xact_lock($1) as turn', [LOCK_KEY]);
    if (rows[0]?.turn) await work(client);
  });
}

/** Waits until no other process does this work. It has no time limit. */
function withLock<T>(pool: Pool, work: (client: ClientBase) => Promise<T>): Promise<T> {
  return inTransaction(pool, async (client) => {
    await client.query(`set local statement_timeout = 0; set local work_mem = '64MB'`);
    await client.query('select pg_advisory_xact_lock($1)', [LOCK_KEY]);
    return work(client);
  });
}

/** Performers that buyers of one of these also buy tickets for, by id, each with its greatest weight. */
export async function boughtTogetherWith(pool: Pool, performerIds: readonly number[]): Promise<Map<number, number>> {
  if (performerIds.length === 0) return new Map();
  const { rows } = await pool.query<{ id: number; weight: number }>({
    name: 'bought-together',
    text: `select other_id as id, max(weight) as weight from discovery_performer_affinity
      where performer_id = any ($1) group by other_id`,
    values: [performerIds],
  });
  return new Map(rows.map(({ id, weight }) => [id, weight]));
}

const PAIRS = 'select count(*)::int as pairs from discovery_performer_affinity';

const ORDER_COUNT = `
  select count(*)::int as orders from orders
  where placed_at >= $1 and stage = 'placed' and status <> 'rejected'`;

// The weight is the cosine of the two sets of buyers, reduced while they are few: one common buyer says little. Two performers of
// the same event do not count as a pair because of that event.
const RECOMPUTE = `
  with bought as materialized (
    select distinct email_digest as buyer,
      ${catalogueIdSql('event_id')} as event_id
    from orders join personal_data_keys on order_id = orders.id
    where orders.placed_at >= $1 and stage = 'placed' and status <> 'rejected' and email_digest is not null
  ), likes as materialized (
    select buyer, event_id, performer_id
    from (select *, count(*) over (partition by buyer) as bought_events from bought) as counted
    join discovery_events on discovery_events.id = event_id, unnest(performer_ids) as performer_id
    where bought_events <= $2
  ), fans as (
    select performer_id, count(distinct buyer)::float8 as buyers from likes group by performer_id
  ), pairs as (
    select performer_id, other_id, count(*)::int as buyers
    from (
      select distinct buyer, one.performer_id, other.performer_id as other_id
      from likes as one join likes as other using (buyer)
      where one.event_id <> other.event_id and one.performer_id < other.performer_id
    ) as of_buyers group by performer_id, other_id
  ), weighed as (
    select pairs.*, pairs.buyers / sqrt(fans.buyers * others.buyers) * pairs.buyers / (pairs.buyers + 2) as weight
    from pairs join fans using (performer_id) join fans as others on others.performer_id = other_id
  ), both_ways as (
    select performer_id, other_id, buyers, weight from weighed
    union all select other_id, performer_id, buyers, weight from weighed
  ), fresh as materialized (
    select performer_id, other_id, buyers, weight from (
      select *, row_number() over (partition by performer_id order by weight desc, other_id) as place from both_ways
    ) as ranked where place <= $3
  ), gone as (
    delete from discovery_performer_affinity as known where not exists (
      select from fresh where (fresh.performer_id, fresh.other_id) = (known.performer_id, known.other_id))
  )
  insert into discovery_performer_affinity as known (performer_id, other_id, buyers, weight)
  select performer_id, other_id, buyers, weight from fresh
  on conflict (performer_id, other_id) do update set buyers = excluded.buyers, weight = excluded.weight
    where (known.buyers, known.weight) <> (excluded.buyers, excluded.weight)`;
