import type { Pool } from 'pg';
import { dollarsOf } from '#domain/money';
import type { ListingTerms } from './listing.js';
import type { ListingDocument } from './listing.contract.js';

export type ListingState = ListingDocument['state'];

/** Prices are in US dollars. */
export type ListedListing = Readonly<{
  listing_id: string;
  event_id: string;
  section: string;
  row: string;
  state: ListingState;
  quantity: number;
  /** Tickets in orders. */
  held: number;
  price: number;
  fees: number;
  version: number;
  updated_at: string;
}>;

export type ListingFilter = Readonly<{ event_id?: string | undefined; state?: ListingState | undefined }>;

/** By ascending id. A page starts after the last listing of the previous page. */
export async function listListings(
  pool: Pool,
  { event_id, state }: ListingFilter,
  { limit, after = '' }: Readonly<{ limit: number; after?: string }>,
): Promise<ListedListing[]> {
  const { rows } = await pool.query<Row>(LIST, [after, event_id ?? null, state ?? null, limit]);
  return rows.map(({ id, terms, offered, available, updated_at, ...row }) => ({
    listing_id: id,
    event_id: terms.eventId,
    section: terms.section,
    row: terms.row,
    quantity: available,
    held: offered - available,
    price: dollarsOf(terms.priceCents),
    fees: dollarsOf(terms.feesCents),
    ...row,
    updated_at: updated_at.toISOString(),
  }));
}

type Row = {
  id: string;
  version: number;
  terms: ListingTerms;
  offered: number;
  available: number;
  state: ListingState;
  updated_at: Date;
};

const LIST = `
  select id, version, terms, offered, available, state, updated_at
  from listings cross join lateral (select case
    when withdrawn_at is not null then 'withdrawn' when available = 0 then 'sold_out' else 'on_sale' end as state) as its
  where id > $1 and ($2::text is null or event_id = $2) and ($3::text is null or state = $3)
  order by id limit $4`;
