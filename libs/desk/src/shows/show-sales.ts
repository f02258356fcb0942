import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { catalogueIdOf } from '#discovery/catalogue-id';
import type { ShowDetail, ShowListQuery, ShowName, ShowSummary, ShowVenues } from '../show-list.contract.js';
import { dollarsOf } from '#domain/money';
import { ofSellers } from '#listings/listings';
import { isSeenBy } from '#accounts/seen-orders';

/** `at` is the time of the show in UTC, without a zone. */
export type ShowPosition = Readonly<{ at: string; id: number }>;

type Filter = Readonly<{
  q?: string | undefined;
  when: ShowListQuery['when'];
  /** Counts only what these sellers offer and sold. Null: everything. */
  sellers: readonly string[] | null;
}>;
type Page = Readonly<{ limit: number; after?: ShowPosition | undefined }>;

/** Shows of the catalogue with what is for sale and what was sold here. */
@Injectable()
export class ShowSales {
  constructor(private readonly pool: Pool) {}

  async list({ q, when, sellers }: Filter, { limit, after }: Page): Promise<ShowSummary[]> {
    const values: unknown[] = [sellers];
    const conditions: string[] = [WHEN[when]];
    if (q !== undefined) conditions.push(containing(values.push(like(q)), values.push(q)));
    const [direction, beyond] = when === 'past' ? ['desc', '<'] : ['asc', '>'];
    if (after) {
      conditions.push(`(e.datetime_utc, e.id) ${beyond} ($${values.push(after.at)}, $${values.push(after.id)})`);
    }
    const page = `select e.id from discovery_events e join discovery_venues v on v.id = e.venue_id
      where ${conditions.join(' and ')} order by e.datetime_utc ${direction}, e.id ${direction} limit $${values.push(limit)}`;
    const { rows } = await this.pool.query<SummaryRow>(
      `select ${SUMMARY} from (${page}) as found cross join lateral (select found.id::text as id, found.id as number) as wanted ${SALES}
       order by e.datetime_utc ${direction}, e.id ${direction}`,
      values,
    );
    return rows.map(summary);
  }

  /** Without those that the catalogue lacks, in no order. */
  async names(ids: readonly string[]): Promise<ShowName[]> {
    const numbers = ids.map(catalogueIdOf).filter((id) => id !== undefined);
    const { rows } = await this.pool.query<ShowName>({ name: 'show-names', text: NAMES, values: [numbers] });
    return rows;
  }

  /** The 20 best known ones that match. */
  async venues(q: string): Promise<ShowVenues['venues']> {
    const { rows } = await this.pool.query<ShowVenues['venues'][number]>(VENUES, [like(q), q]);
    return rows;
  }

  /** Shows that the catalogue lacks are found if they have listings or orders. */
  async find(id: string, sellers: readonly string[] | null): Promise<ShowDetail | undefined> {
    const { rows } = await this.pool.query<SummaryRow & { known: boolean; statuses: Record<string, number> | null }>(
      `select ${SUMMARY}, statuses, (e.id is not null or s.orders > 0 or exists (
         select from listings l where l.event_id = wanted.id and ${OF_SELLERS.listing})) as known
       from (select $2::text as id, $3::bigint as number) as wanted ${SALES}
       cross join lateral (select json_object_agg(status, orders) as statuses from (
         select status, count(*)::int as orders from orders o where o.event_id = wanted.id and o.stage = 'placed'
           and ${OF_SELLERS.order} group by status) as by_status) as t`,
      [sellers, id, catalogueIdOf(id) ?? null],
    );
    const [row] = rows;
    return row?.known ? { ...summary(row), statuses: row.statuses ?? {} } : undefined;
  }
}

const like = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

const VENUES = `
  select id, name, city, state from discovery_venues where name ilike $1 or city ilike $1 or id::text = $2
  order by score desc, id limit 20`;

type SummaryRow = {
  id: string;
  title: string | null;
  datetime_local: string | null;
  datetime_utc: string | null;
  time_tbd: boolean | null;
  date_tbd: boolean | null;
  venue: string | null;
  city: string | null;
  state: string | null;
  listings: number;
  tickets_left: number;
  lowest_price_cents: number | null;
  orders: number;
  tickets_sold: number;
  sales_cents: string;
};

function summary({
  venue,
  city,
  state,
  lowest_price_cents: lowest,
  sales_cents: sold,
  ...row
}: SummaryRow): ShowSummary {
  return {
    id: row.id,
    title: row.title,
    datetime_local: row.datetime_local,
    datetime_utc: row.datetime_utc,
    time_tbd: row.time_tbd === true,
    date_tbd: row.date_tbd === true,
    venue: venue === null ? null : { name: venue, city, state },
    listings: row.listings,
    tickets_left: row.tickets_left,
    lowest_price: lowest === null ? null : dollarsOf(lowest),
    orders: row.orders,
    tickets_sold: row.tickets_sold,
    sales: dollarsOf(Number(sold)),
  };
}

const WHEN = {
  upcoming: `e.visible_until >= now() at time zone 'utc'`,
  past: `e.visible_until < now() at time zone 'utc'`,
  all: 'true',
} as const;

/** $1: the sellers, or null for all. */
const OF_SELLERS = {
  listing: ofSellers('$1', 'l'),
  order: isSeenBy('$1'),
} as const;

function containing(pattern: number, id: number): string {
  return `(e.title ilike $${pattern} or v.name ilike $${pattern} or e.city ilike $${pattern} or e.id::text = $${id})`;
}

const LOCAL_ISO = 'YYYY-MM-DD"T"HH24:MI:SS';

const NAMES = `
  select e.id::text as id, e.title, to_char(e.datetime_local, '${LOCAL_ISO}') as datetime_local, v.name as venue
  from discovery_events e join discovery_venues v on v.id = e.venue_id where e.id = any($1::bigint[])`;

const SUMMARY = `wanted.id, e.title, to_char(e.datetime_local, '${LOCAL_ISO}') as datetime_local,
  to_char(e.datetime_utc, '${LOCAL_ISO}') as datetime_utc,
  (e.document ->> 'time_tbd')::boolean as time_tbd, (e.document ->> 'date_tbd')::boolean as date_tbd,
  v.name as venue, v.city, v.state, stock.*, s.*`;

/** For each row of `wanted`. Counted with the index on the show, so no table is read as a whole. */
const SALES = `
  left join discovery_events e on e.id = wanted.number
  left join discovery_venues v on v.id = e.venue_id
  cross join lateral (
    select count(*)::int as listings, coalesce(sum(l.available), 0)::int as tickets_left,
      min((l.terms ->> 'priceCents')::int) as lowest_price_cents
    from listings l where l.event_id = wanted.id and l.withdrawn_at is null and l.available > 0
      and ${OF_SELLERS.listing}) as stock
  cross join lateral (
    select count(*)::int as orders,
      coalesce(sum(o.quantity) filter (where o.status <> 'rejected'), 0)::int as tickets_sold,
      coalesce(sum(o.total_cents) filter (where o.status <> 'rejected'), 0)::text as sales_cents
    from orders o where o.event_id = wanted.id and o.stage = 'placed' and ${OF_SELLERS.order}) as s`;
