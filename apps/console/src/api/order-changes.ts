import { queryOptions } from '@tanstack/react-query';
import type { BuyerChange, OrderDetail } from '#orders/order.contract';
import type { ListingDocument } from '#listings/listing.contract';
import type { ReplacementOffer } from '#orders/replacement.contract';
import { ApiError } from './api-error.js';
import { ask } from './http.js';

export type TagChange = Readonly<{ add: string } | { remove: string }>;

const MOST_TRIES = 5;

export const isStale = (error: unknown): boolean => error instanceof ApiError && error.status === 412;

/** The operators that an order can be given to. */
export const assigneesQuery = queryOptions({
  queryKey: ['assignees'],
  queryFn: async ({ signal }) => (await ask('GET assignees', { signal })).assignees,
  staleTime: 60_000,
});

export function withTag(tags: readonly string[], change: TagChange): string[] {
  if ('remove' in change) return tags.filter((tag) => tag !== change.remove);
  return tags.includes(change.add) ? [...tags] : [...tags, change.add];
}

/** Adds or removes one tag. If a colleague changes the tags at the same time, it repeats the change on the newest tags. */
export async function changeTag(order: OrderDetail, change: TagChange): Promise<OrderDetail> {
  for (let tries = 1, now = order; ; tries += 1) {
    try {
      const body = withTag(now.tags, change);
      return await ask('PUT orders/{id}/tags', { path: { id: order.id }, ifMatch: now.desk_version, body });
    } catch (error) {
      if (!isStale(error) || tries === MOST_TRIES) throw error;
      now = await ask('GET orders/{id}', { path: { id: order.id } });
    }
  }
}

/** Refused if a colleague has changed tags or assignee since: two people must not both think that the order is theirs. */
export const assign = ({ id, desk_version: ifMatch }: OrderDetail, operatorId: string | null): Promise<OrderDetail> =>
  ask('PUT orders/{id}/assignee', { path: { id }, ifMatch, body: { operator_id: operatorId } });

export const correctBuyer = ({ id, version: ifMatch }: OrderDetail, body: BuyerChange): Promise<OrderDetail> =>
  ask('PATCH orders/{id}/buyer', { path: { id }, ifMatch, body });

export const erasePersonalData = ({ id, version: ifMatch }: OrderDetail): Promise<OrderDetail> =>
  ask('DELETE orders/{id}/personal-data', { path: { id }, ifMatch });

/** Listings of the same show with enough tickets to offer in place of the order's. The nearest price comes first. */
export const otherTicketsQuery = ({ id, product: { event_id, listing_id, quantity }, total }: OrderDetail) =>
  queryOptions({
    queryKey: ['other-tickets', id, event_id, listing_id],
    queryFn: async ({ signal }) => {
      const query = { event_id, state: 'on_sale', limit: 200 } as const;
      const { listings } = await ask('GET listings', { query, signal });
      const distance = ({ price, fees }: ListingDocument) => Math.abs(price + fees - total / quantity);
      return listings
        .filter((listing) => listing.listing_id !== listing_id && sells(listing, quantity))
        .toSorted((one, other) => distance(one) - distance(other));
    },
    staleTime: 5_000,
  });

/** The same rule as in a purchase; the server has the last word. */
function sells({ quantity: available, split_rule: rule }: ListingDocument, quantity: number): boolean {
  if (available < quantity) return false;
  if (rule === 'pairs') return quantity % 2 === 0;
  if (rule === 'no_single_left') return available - quantity !== 1;
  if (rule === 'all_together') return available === quantity;
  return typeof rule === 'string' || rule.includes(quantity);
}

export const offerReplacement = ({ id, version: ifMatch }: OrderDetail, body: ReplacementOffer): Promise<OrderDetail> =>
  ask('POST orders/{id}/replacement', { path: { id }, ifMatch, body });
