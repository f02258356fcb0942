import { Injectable } from '@nestjs/common';
import { type ClientBase, Pool } from 'pg';
import { inTransaction } from '#database/transaction';
import { Clock } from '#runtime/clock';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

// Teams and tours come back every year.
const DAYS_OF_SALES = 400;
// Who buys more is a dealer, whose purchases say nothing of anybody's liking, and would make millions of pairs.
const MOST_EVENTS_A_BUYER = 50;
// A recommendation shows ten; more than these are hardly ever seen.
const MOST_OTHERS = 100;
// Catalogue and dates change without an order.
const AT_LEAST_EVERY_MS = HOUR_MS;
// With millions of orders it takes minutes: they are not to be all that the database does.
const RESTS_FOR_TIMES = 20;

// An advisory lock.
const TURN = 8146;

/** When it was done last, and how far the feed was then. */
type Done = Readonly<{ position: number; at: number; tookMs: number }>;

/**
 * Keeps the table of performers that the same people buy tickets for. A buyer is the digest of an email address: nobody's data is
 * read, and whose data was erased counts no more.
 */
@Injectable()
export class BoughtTogether {
  private done: Done | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  /** Works out all of it anew when something happened to orders; answers whether it did. Of several processes one does. */
  async refresh(): Promise<boolean> {
    const { rows } = await this.pool.query<{ position: number }>(
      'select coalesce(max(position), 0) as position from feed',
    );
    const [position, at] = [rows[0]?.position ?? 0, this.clock.now()];
    if (this.done && !isDue(this.done, position, at)) return false;
    await alone(this.pool, (client) => workOut(client, at));
    this.done = { position, at, tookMs: this.clock.now() - at };
    return true;
  }

  /** Works all of it out anew, however little has happened and whoever did it last. */
  async rebuild(onBegin: (orders: number) => void = () => undefined): Promise<Rebuilt> {
    const at = this.clock.now();
    const { rows } = await this.pool.query<{ orders: number }>(ORDERS_LOOKED_AT, [sinceOf(at)]);
    const orders = rows[0]?.orders ?? 0;
    onBegin(orders);
    const pairs = await afterOthers(this.pool, async (client) => {
      await workOut(client, at);
      const { rows: counted } = await client.query<{ pairs: number }>(PAIRS);
      return counted[0]?.pairs ?? 0;
    });
    return { orders, pairs };
  }
}

/** How many orders it was made of, and how many rows that gave. */
export type Rebuilt = Readonly<{ orders: number; pairs: number }>;

const sinceOf = (at: number) => new Date(at - DAYS_OF_SALES * DAY_MS).toISOString();

async function workOut(client: ClientBase, at: number): Promise<void> {
  await client.query(WORK_OUT, [sinceOf(at), MOST_EVENTS_A_BUYER, MOST_OTHERS]);
}

function isDue(done: Done, position: number, at: number): boolean {
  const sinceMs = at - done.at;
  return sinceMs >= RESTS_FOR_TIMES * done.tookMs && (position !== done.position || sinceMs >= AT_LEAST_EVERY_MS);
}

/** Not done at all while another process does it: it would do the same. */
function alone(pool: Pool, work: (client: ClientBase) => Promise<void>): Promise<void> {
  return inTransaction(pool, async (client) => {
    await client.query(`set local statement_timeout = '10min'; set local work_mem = '64MB'`);
    const { rows } = await client.query<{ turn: boolean }>('select pg_try_advisory_xact_lock($1) as turn', [TURN]);
    if (rows[0]?.turn) await work(client);
  });
}

/** When no other process does it any more; it takes as long as it takes. */
function afterOthers<T>(pool: Pool, work: (client: ClientBase) => Promise<T>): Promise<T> {
  return inTransaction(pool, async (client) => {
    await client.query(`set local statement_timeout = 0; set local work_mem = '64MB'`);
    await client.query('select pg_advisory_xact_lock($1)', [TURN]);
    return work(client);
  });
}

/** Others whom those bought tickets for who did for one of these, with the greatest weight of each; by id. */
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

const ORDERS_LOOKED_AT = `
  select count(*)::int as orders from orders
  where placed_at >= $1 and stage = 'placed' and status <> 'rejected'`;

// The weight is the cosine of both sets of buyers, drawn towards 0 while they are few: one buyer of both says little.
// Performers of one and the same event are no pair for it: that the tickets were bought together says nothing of them.
const WORK_OUT = `
  with bought as materialized (
    select distinct email_digest as buyer,
      case when event_id ~ '^[1-9]\\d{0,9}$' then event_id::bigint end as event_id
    from orders join personal_data_keys on order_id = orders.id
    where placed_at >= $1 and stage = 'placed' and status <> 'rejected' and email_digest is not null
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
