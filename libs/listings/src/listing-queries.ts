import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { StoredListing } from './listing.js';
import { EXTERNAL_ID, ofSellers, STORED, stored, type StoredRow } from './listings.js';

export type ListingFilter = Readonly<{
  event_id?: string | undefined;
  state?: keyof typeof IN_STATE | undefined;
  external_id?: string | undefined;
  seller?: string | undefined;
  /** Days of the show at its venue, both included. */
  from?: string | undefined;
  to?: string | undefined;
  q?: string | undefined;
  /** Only listings of these sellers. Null: of all. */
  sellers: readonly string[] | null;
}>;

/** A sort by id uses only the id. */
export type ListingCursor = Readonly<{ at: string; id: string }>;

const IN_STATE = {
  on_sale: 'listings.withdrawn_at is null and listings.available > 0',
  sold_out: 'listings.withdrawn_at is null and listings.available = 0',
  withdrawn: 'listings.withdrawn_at is not null',
} as const;

/** This closed map keeps text of the request out of the statement. */
const SORTS = {
  'created_at.desc': { column: 'created_at', direction: 'desc', beyond: '<' },
  'created_at.asc': { column: 'created_at', direction: 'asc', beyond: '>' },
  'updated_at.desc': { column: 'updated_at', direction: 'desc', beyond: '<' },
  'updated_at.asc': { column: 'updated_at', direction: 'asc', beyond: '>' },
  'listing_id.asc': { column: undefined, direction: 'asc', beyond: '>' },
  'listing_id.desc': { column: undefined, direction: 'desc', beyond: '<' },
} as const;
type ListingSort = keyof typeof SORTS;

export type ListingPage = Readonly<{ sort: ListingSort; limit: number; after?: ListingCursor | undefined }>;

@Injectable()
export class ListingQueries {
  constructor(private readonly pool: Pool) {}

  /** Sales change no sorted column, so no page skips or repeats a listing because of them. */
  async list(
    { event_id, state, external_id, seller, from, to, q, sellers }: ListingFilter,
    { sort, limit, after }: ListingPage,
  ): Promise<StoredListing[]> {
    const { column, direction, beyond } = SORTS[sort];
    const values: unknown[] = [];
    const conditions: string[] = state ? [IN_STATE[state]] : [];
    if (event_id !== undefined) conditions.push(`listings.event_id = $${values.push(event_id)}`);
    if (external_id !== undefined) conditions.push(`${EXTERNAL_ID} = $${values.push(external_id)}`);
    if (seller !== undefined) {
      conditions.push(`lower(listings.terms ->> 'seller') = lower($${values.push(seller)})`);
    }
    if (from !== undefined) conditions.push(ofShows(`datetime_local >= $${values.push(from)}::date`));
    if (to !== undefined) conditions.push(ofShows(`datetime_local < $${values.push(to)}::date + 1`));
    if (q !== undefined) conditions.push(containing(`$${values.push(`%${q.replace(/[\\%_]/g, '\\$&')}%`)}`));
    if (sellers) conditions.push(ofSellers(`$${values.push(sellers)}`));
    if (after && column) {
      conditions.push(
        `(listings.${column}, listings.id) ${beyond} ($${values.push(after.at)}::timestamptz, $${values.push(after.id)})`,
      );
    } else if (after) conditions.push(`listings.id ${beyond} $${values.push(after.id)}`);
    const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
    const order = [...(column ? [column] : []), 'id'].map((name) => `listings.${name} ${direction}`).join(', ');
    const { rows } = await this.pool.query<StoredRow>(
      `select ${STORED} from listings ${where} order by ${order} limit $${values.push(limit)}`,
      values,
    );
    return rows.map(stored);
  }
}

function containing(pattern: string): string {
  const texts = ['listings.id', 'listings.event_id', `listings.terms ->> 'section'`, `listings.terms ->> 'row'`];
  const named = ofShows(`title ilike ${pattern} or short_title ilike ${pattern}`);
  return `(${texts.map((text) => `${text} ilike ${pattern}`).join(' or ')} or ${named})`;
}

const ofShows = (condition: string) =>
  `listings.event_id in (select id::text from discovery_events where ${condition})`;
