import { Injectable } from '@nestjs/common';
import { type ClientBase, Pool } from 'pg';
import { catalogueIdOf } from './catalogue-id.js';
import { withCatalogueLock } from './catalogue/writing/catalogue-lock.js';

/** The name of the checkpoint in `subscriptions`. */
const NAME = 'discovery-stats';
// About a second of a busy shop.
const BATCH_SIZE = 20_000;

/**
 * Keeps the stats of events in step with the listings for sale. Sales come from the feed, so purchases do no extra work. Changes of
 * listings come from a table that a trigger fills. A price is the listed price, without fees, taxes and delivery.
 */
@Injectable()
export class StockStats {
  constructor(private readonly pool: Pool) {}

  /** Processes the changes since the last step, and returns whether more are waiting. Safe to run in several processes. */
  async step(): Promise<boolean> {
    const { rows } = await this.pool.query<{ due: boolean }>(DUE, [NAME]);
    if (!rows[0]?.due) return false;
    return withCatalogueLock(this.pool, async (client) => {
      const sold = await readFeed(client);
      const { rows: changed } = await client.query<{ event_id: string }>(TAKE_CHANGED, [BATCH_SIZE]);
      await recompute(client, [...sold, ...changed.map(({ event_id: id }) => id)]);
      return changed.length === BATCH_SIZE;
    });
  }

  /**
   * Recomputes all stats and returns the number of events with listings. `onProgress` receives the number of events that are left.
   */
  async rebuild(onProgress: (left: number) => void = () => undefined): Promise<number> {
    await this.pool.query('insert into discovery_changed_stock (event_id) select distinct event_id from listings');
    do onProgress(await this.countChanged());
    while (await this.step());
    const { rows } = await this.pool.query<{ count: number }>(
      'select count(*)::int as count from discovery_events where stats_from_stock',
    );
    return rows[0]?.count ?? 0;
  }

  private async countChanged(): Promise<number> {
    const { rows } = await this.pool.query<{ count: number }>(
      'select count(*)::int as count from discovery_changed_stock',
    );
    return rows[0]?.count ?? 0;
  }
}

/** The event ids of orders that appear in the feed since the checkpoint. Moves the checkpoint. */
async function readFeed(client: ClientBase): Promise<string[]> {
  // The migration marked all events with listings, so the feed counts from the first step on.
  await client.query(FIRST_CHECKPOINT, [NAME]);
  const { rows } = await client.query<{ last: number | null; events: string[] | null }>(READ_FEED, [NAME, BATCH_SIZE]);
  const { last = null, events } = rows[0] ?? {};
  if (last !== null) await client.query(MOVE_CHECKPOINT, [NAME, last]);
  return events ?? [];
}

async function recompute(client: ClientBase, eventIds: readonly string[]): Promise<void> {
  // Other ids cannot be in the catalogue.
  const ids = [...new Set(eventIds)].filter((id) => catalogueIdOf(id) !== undefined);
  if (ids.length > 0) await client.query(RECOMPUTE, [ids]);
}

const DUE = `
  select exists (select from discovery_changed_stock) or coalesce((select max(position) from feed), 0) >
    coalesce((select position from subscriptions where name = $1), -1) as due`;

const FIRST_CHECKPOINT = `
  insert into subscriptions (name, position) select $1, coalesce(max(position), 0) from feed on conflict do nothing`;

// `offset 0` keeps the lookups. As a join, each step would read all orders.
const READ_FEED = `
  with entries as (
    select position, stream from feed where position > (select position from subscriptions where name = $1)
    order by position limit $2
  )
  select max(entries.position) as last, array_agg(distinct orders.event_id) filter (where orders.id is not null) as events
  from entries left join lateral (
    select id, event_id from orders where id = substr(entries.stream, length('order-') + 1) offset 0) as orders on true`;

const MOVE_CHECKPOINT = 'update subscriptions set position = $2, updated_at = now() where name = $1';

const TAKE_CHANGED = `
  delete from discovery_changed_stock
  where id in (select id from discovery_changed_stock order by id limit $1) returning event_id`;

// This includes an event whose last listing now names another event.
const RECOMPUTE = `
  update discovery_events as e set stats_from_stock = true, listing_count = stock.listing_count,
    average_price = stock.average, lowest_price = stock.lowest, highest_price = stock.highest
  from unnest($1::text[]) as given (event_id) cross join lateral (
    select count(*)::int as listings, (count(*) filter (where for_sale))::int as listing_count,
      round(avg(price) filter (where for_sale), 2)::float8 as average,
      (min(price) filter (where for_sale))::float8 as lowest, (max(price) filter (where for_sale))::float8 as highest
    from (select available > 0 and withdrawn_at is null as for_sale, (terms ->> 'priceCents')::numeric / 100 as price
          from listings where listings.event_id = given.event_id) as all_listings
  ) as stock
  where e.id = given.event_id::bigint and (e.stats_from_stock or stock.listings > 0)
    and (true, e.listing_count, e.average_price, e.lowest_price, e.highest_price) is distinct from
      (e.stats_from_stock, stock.listing_count, stock.average, stock.lowest, stock.highest)`;
