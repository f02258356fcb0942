import { Injectable } from '@nestjs/common';
import { type ClientBase, Pool } from 'pg';
import { withCatalogueLock } from './writing/catalogue-lock.js';

/** The checkpoint in the feed, among the subscriptions. */
const NAME = 'discovery-stats';
// A second of a busy shop; more waits for the next step.
const ENTRIES_A_STEP = 20_000;
const LARGEST_ID = 2_147_483_647;

/**
 * Keeps the stats of events to the listings for sale. Purchases and what becomes of them are learned from the feed, so that
 * they do no more for it; changes of listings from a table that a trigger writes. A price is what the listing shows as its
 * price: without fees, taxes and delivery.
 */
@Injectable()
export class StockStats {
  constructor(private readonly pool: Pool) {}

  /** Works out what has changed since the last step; answers whether more listings have changed. Several processes take turns. */
  async step(): Promise<boolean> {
    const { rows } = await this.pool.query<{ due: boolean }>(DUE, [NAME]);
    if (!rows[0]?.due) return false;
    return withCatalogueLock(this.pool, async (client) => {
      const sold = await soldSince(client);
      const { rows: noted } = await client.query<{ event_id: string }>(TAKE_NOTED, [ENTRIES_A_STEP]);
      await workOut(client, [...sold, ...noted.map(({ event_id: id }) => id)]);
      return noted.length === ENTRIES_A_STEP;
    });
  }

  /** Works out all of them anew; answers how many events have listings. `onProgress` hears how many listings' events are left. */
  async rebuild(onProgress: (left: number) => void = () => undefined): Promise<number> {
    await this.pool.query('insert into discovery_changed_stock (event_id) select distinct event_id from listings');
    do onProgress(await this.noted());
    while (await this.step());
    const { rows } = await this.pool.query<{ count: number }>(
      'select count(*)::int as count from discovery_events where stats_from_stock',
    );
    return rows[0]?.count ?? 0;
  }

  private async noted(): Promise<number> {
    const { rows } = await this.pool.query<{ count: number }>(
      'select count(*)::int as count from discovery_changed_stock',
    );
    return rows[0]?.count ?? 0;
  }
}

/** The events that something happened to in the feed, as their orders name them. Moves the checkpoint. */
async function soldSince(client: ClientBase): Promise<string[]> {
  // All events with listings were noted when the tables were made: the feed counts from the first step on.
  await client.query(FIRST_CHECKPOINT, [NAME]);
  const { rows } = await client.query<{ last: number | null; events: string[] | null }>(READ_FEED, [
    NAME,
    ENTRIES_A_STEP,
  ]);
  const { last = null, events } = rows[0] ?? {};
  if (last !== null) await client.query(MOVE_CHECKPOINT, [NAME, last]);
  return events ?? [];
}

async function workOut(client: ClientBase, eventIds: readonly string[]): Promise<void> {
  // Others cannot be ids of the catalogue.
  const ids = [...new Set(eventIds)].filter((id) => /^[1-9]\d{0,9}$/.test(id) && Number(id) <= LARGEST_ID);
  if (ids.length > 0) await client.query(WORK_OUT, [ids]);
}

const DUE = `
  select exists (select from discovery_changed_stock) or coalesce((select max(position) from feed), 0) >
    coalesce((select position from subscriptions where name = $1), -1) as due`;

const FIRST_CHECKPOINT = `
  insert into subscriptions (name, position) select $1, coalesce(max(position), 0) from feed on conflict do nothing`;

const READ_FEED = `
  with entries as (
    select position, stream from feed where position > (select position from subscriptions where name = $1)
    order by position limit $2
  )
  select max(entries.position) as last, array_agg(distinct orders.event_id) filter (where orders.id is not null) as events
  from entries left join orders on orders.id = substr(entries.stream, length('order-') + 1)`;

const MOVE_CHECKPOINT = 'update subscriptions set position = $2, updated_at = now() where name = $1';

const TAKE_NOTED = `
  delete from discovery_changed_stock
  where id in (select id from discovery_changed_stock order by id limit $1) returning event_id`;

// Also of an event whose last listing now names another event.
const WORK_OUT = `
  update discovery_events as e set stats_from_stock = true, listing_count = stock.listing_count,
    average_price = stock.average, lowest_price = stock.lowest, highest_price = stock.highest
  from unnest($1::text[]) as given (event_id) cross join lateral (
    select count(*)::int as listings, (count(*) filter (where for_sale))::int as listing_count,
      round(avg(price) filter (where for_sale), 2)::float8 as average,
      (min(price) filter (where for_sale))::float8 as lowest, (max(price) filter (where for_sale))::float8 as highest
    from (select available > 0 and withdrawn_at is null as for_sale, (terms ->> 'priceCents')::numeric / 100 as price
          from listings where listings.event_id = given.event_id) as all_listings
  ) as stock
  where e.id = given.event_id::int and (e.stats_from_stock or stock.listings > 0)
    and (true, e.listing_count, e.average_price, e.lowest_price, e.highest_price) is distinct from
      (e.stats_from_stock, stock.listing_count, stock.average, stock.lowest, stock.highest)`;
