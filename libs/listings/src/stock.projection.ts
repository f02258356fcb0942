import { ownListing, type StockMove, stockMoves } from '#domain/order-effects';
import type { OrderEvent } from '#domain/order-events';
import type { Order } from '#domain/order-state';
import type { InlineProjection } from '#event-store/inline-projection';
import { listingLock } from './listing-lock.js';

// The seats of a listing that orders have are held_seats. The seller replaces the names, never these, so a seat that comes back after a
// change is free if the listing still names it.
const HELD_SEATS = `
  case when order_stock.seats is null then listings.held_seats
    when order_stock.taken > 0 then listings.held_seats || order_stock.seats
    else nullif(array(select unnest(listings.held_seats) except select unnest(order_stock.seats)), '{}') end`;

// The limit tells the planner that there is one row, so that it uses the primary key. Rules on the quantity were checked with the
// price; the version proves that they still hold.
const update = (rows: string, condition = '') => `
  update listings set available = available - order_stock.taken, held_seats = ${HELD_SEATS}
  from (select * from ${rows} limit 1) as order_stock
  where listings.id = order_stock.listing_id and (order_stock.taken < 0 or (
    listings.version = order_stock.listing_version and listings.withdrawn_at is null
    and listings.available >= order_stock.taken and (listings.held_seats && order_stock.seats) is not true
    and case listings.split_rule
      when 'no_single_left' then listings.available - order_stock.taken <> 1
        and (listings.available - 1 = any (order_stock.sums)) is not true
      when 'all_together' then listings.available = order_stock.taken and order_stock.sums is null
      else true end))
  ${condition}
  returning 1`;

/** One row, because a statement for several would not use the primary key. */
const ofOneListing = {
  // `sums` is null unless several orders take tickets together: then what the first one takes, the first two and so on.
  columns: { listing_id: 'text', listing_version: 'int', taken: 'int', seats: 'text[]', sums: 'int[]' },
  requireRowCount: true,
  contendedKey: (row: object) => listingLock((row as StockMove).listing_id),
  merged(rows: readonly object[]): (StockMove & { sums?: readonly number[] }) | undefined {
    const moves = rows as readonly StockMove[];
    const [first] = moves;
    if (!first) return undefined;
    const seats = moves.flatMap((move) => move.seats ?? []);
    const { listing_id, listing_version } = first;
    const taken = moves.reduce((sum, move) => sum + move.taken, 0);
    const sum = { listing_id, listing_version, taken, ...(seats.length > 0 && { seats }) };
    // Tickets that come back are added whatever the listing is by now.
    if (moves.every((move) => move.taken < 0)) return sum;
    const isSale = moves.every((move) => move.taken > 0 && move.listing_version === listing_version);
    if (!isSale || new Set(seats).size < seats.length) return undefined;
    let sold = 0;
    return { ...sum, sums: moves.map((move) => (sold += move.taken)) };
  },
  statement: (rows: string) => update(rows),
  // The subquery is the last condition that PostgreSQL looks at, because it costs most.
  statementWithoutWaiting: (rows: string) =>
    update(
      rows,
      'and (select true from listings as free where free.id = order_stock.listing_id for update skip locked)',
    ),
} satisfies Partial<InlineProjection>;

/** A `ProjectionConflict` of `stock` means that the listing changed, was withdrawn, has too few tickets left, or that another order has one of the seats. */
export const stockProjection: InlineProjection<Order, OrderEvent> = {
  name: 'stock',
  ...ofOneListing,
  rows: ({ before, after }) =>
    stockMoves(before, after).filter((move) => move.listing_id === ownListing(before, after)),
};

/** The same for the listing of other tickets, which an order may hold besides its own. */
export const otherStockProjection: InlineProjection<Order, OrderEvent> = {
  name: 'other_stock',
  ...ofOneListing,
  rows: ({ before, after }) =>
    stockMoves(before, after).filter((move) => move.listing_id !== ownListing(before, after)),
};
