import type { ListingDocument } from '#listings/listing.contract';
import { amountIn } from '../words/amount-in.js';

export type ChangeKind = 'price' | 'percent' | 'amount' | 'quantity' | 'withdrawn' | 'on_sale';

/** One line of a PATCH of many listings. `if_price` is the price that was shown: one that a colleague has set since is not overwritten. */
export type ListingLine = Readonly<
  { listing_id: string } & Partial<
    Readonly<{ price: number; if_price: number; quantity: number; state: 'withdrawn' | 'on_sale' }>
  >
>;

/** What a change makes of each listing. Undefined if what was typed is no such change. The server says which it refuses. */
export function linesOf(
  kind: ChangeKind,
  typed: string,
  listings: readonly ListingDocument[],
): readonly ListingLine[] | undefined {
  const change = changeOf(kind, typed.trim());
  return change && listings.map((listing) => ({ listing_id: listing.listing_id, ...change(listing) }));
}

type Change = (listing: ListingDocument) => Omit<ListingLine, 'listing_id'>;

function changeOf(kind: ChangeKind, typed: string): Change | undefined {
  if (kind === 'withdrawn' || kind === 'on_sale') return () => ({ state: kind });
  if (kind === 'quantity') return /^\d{1,6}$/.test(typed) ? () => ({ quantity: Number(typed) }) : undefined;
  if (kind === 'price') {
    const price = amountIn(typed);
    return price === undefined ? undefined : (listing) => ({ price, if_price: listing.price });
  }
  const by = differenceIn(typed);
  if (by === undefined) return undefined;
  return kind === 'percent'
    ? ({ price }) => ({ price: rounded(price + (price * by) / 100), if_price: price })
    : ({ price }) => ({ price: rounded(price + by), if_price: price });
}

/** `-10`, `+2.5`. Undefined for 0. */
function differenceIn(typed: string): number | undefined {
  const by = /^[+−-]?\d{1,7}(\.\d{1,2})?$/.test(typed) ? Number(typed.replace('−', '-')) : 0;
  return by === 0 ? undefined : by;
}

/** To a cent. A float such as 1.005 must not lose its half cent. */
const rounded = (dollars: number) => Number(`${Math.round(Number(`${dollars.toFixed(6)}e2`))}e-2`);
