import { queryOptions } from '@tanstack/react-query';
import type { BuyerChange, OrderDetail } from '#contracts/backoffice/order';
import type { AssigneeList } from '#contracts/backoffice/order-desk';
import { ApiError } from './api-error.js';
import { ask } from './http.js';

export type TagChange = Readonly<{ add: string } | { remove: string }>;

const MOST_TRIES = 5;

const pathOf = (id: string, rest = '') => `orders/${encodeURIComponent(id)}${rest}`;

export const isStale = (error: unknown): boolean => error instanceof ApiError && error.status === 412;

/** The operators that an order can be given to. */
export const assigneesQuery = queryOptions({
  queryKey: ['assignees'],
  queryFn: async ({ signal }) => (await ask<AssigneeList>('assignees', { signal })).assignees,
  staleTime: 60_000,
});

export function withTag(tags: readonly string[], change: TagChange): string[] {
  if ('remove' in change) return tags.filter((tag) => tag !== change.remove);
  return tags.includes(change.add) ? [...tags] : [...tags, change.add];
}

/** Adds or removes one tag. What a colleague changed at the same time stays: the change is made again on the newest tags. */
export async function changeTag(order: OrderDetail, change: TagChange): Promise<OrderDetail> {
  for (let tries = 1, now = order; ; tries += 1) {
    try {
      const body = withTag(now.tags, change);
      return await ask(pathOf(order.id, '/tags'), { method: 'PUT', ifMatch: now.desk_version, body });
    } catch (error) {
      if (!isStale(error) || tries === MOST_TRIES) throw error;
      now = await ask<OrderDetail>(pathOf(order.id));
    }
  }
}

/** Refused if a colleague has changed tags or assignee since: two people must not both think that the order is theirs. */
export const assign = ({ id, desk_version: ifMatch }: OrderDetail, operatorId: string | null): Promise<OrderDetail> =>
  ask(pathOf(id, '/assignee'), { method: 'PUT', ifMatch, body: { operator_id: operatorId } });

export const correctBuyer = ({ id, version: ifMatch }: OrderDetail, body: BuyerChange): Promise<OrderDetail> =>
  ask(pathOf(id, '/buyer'), { method: 'PATCH', ifMatch, body });

export const erasePersonalData = ({ id, version: ifMatch }: OrderDetail): Promise<OrderDetail> =>
  ask(pathOf(id, '/personal-data'), { method: 'DELETE', ifMatch });
