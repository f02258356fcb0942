import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { catalogueIdSql } from '#discovery/catalogue-id';
import { type PassFacts, zoned } from './pass-content.js';

export type PassShow = Pick<PassFacts, 'title' | 'venue' | 'section' | 'row' | 'starts' | 'hasTime'>;

const UNKNOWN: PassShow = { title: null, venue: null, section: null, row: null, starts: null, hasTime: false };

/** What an order is for, as a pass says it. */
@Injectable()
export class PassShows {
  constructor(private readonly pool: Pool) {}

  async of(orderId: string): Promise<PassShow> {
    const [found] = (await this.pool.query<ShowRow>(SHOW, [orderId])).rows;
    if (!found) return UNKNOWN;
    const { local, utc, date_tbd: noDate, time_tbd: noTime, ...said } = found;
    const starts = local === null || utc === null || noDate ? null : zoned(local, utc);
    return { ...said, starts, hasTime: !noTime };
  }
}

type ShowRow = Pick<PassFacts, 'title' | 'venue' | 'section' | 'row'> &
  Readonly<{ local: string | null; utc: string | null; date_tbd: boolean | null; time_tbd: boolean | null }>;

const WRITTEN = `'YYYY-MM-DD"T"HH24:MI:SS'`;

const SHOW = `
  select e.title, v.name as venue, l.terms ->> 'section' as section, l.terms ->> 'row' as row,
    to_char(e.datetime_local, ${WRITTEN}) as local, to_char(e.datetime_utc, ${WRITTEN}) as utc,
    (e.document ->> 'date_tbd')::boolean as date_tbd, (e.document ->> 'time_tbd')::boolean as time_tbd
  from orders o
  left join listings l on l.id = o.listing_id
  left join discovery_events e on e.id = ${catalogueIdSql('o.event_id')}
  left join discovery_venues v on v.id = e.venue_id
  where o.id = $1`;
