import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { catalogueIdSql } from '#discovery/catalogue-id';

/** What an order is for, as catalogue and listing have it now. `starts` is the venue's wall clock, without a zone. */
export type OrderShow = Readonly<{
  title: string | null;
  starts: string | null;
  venue: string | null;
  city: string | null;
  section: string | null;
  row: string | null;
  /** Those of the order, or of its listing where an earlier version did not say which are the order's. */
  seats: readonly string[] | null;
  /** What the seller says of the tickets. */
  notes: string | null;
  listing_version: number | null;
}>;

@Injectable()
export class OrderShows {
  constructor(private readonly pool: Pool) {}

  /** By order. */
  async of(orderIds: readonly string[]): Promise<ReadonlyMap<string, OrderShow>> {
    const { rows } = await this.pool.query<OrderShow & { id: string }>(SHOWS, [orderIds]);
    return new Map(rows.map(({ id, ...show }) => [id, show]));
  }
}

const SHOWS = `
  select o.id, e.title, to_char(e.datetime_local, 'YYYY-MM-DD HH24:MI') as starts, v.name as venue, v.city,
    l.terms ->> 'section' as section, l.terms ->> 'row' as row, l.terms ->> 'notes' as notes,
    coalesce(o.stock_seats, l.terms -> 'seats') as seats, l.version as listing_version
  from orders o
  left join listings l on l.id = o.listing_id
  left join discovery_events e on e.id = ${catalogueIdSql('o.event_id')}
  left join discovery_venues v on v.id = e.venue_id
  where o.id = any($1)`;
