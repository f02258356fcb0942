import { infiniteQueryOptions } from '@tanstack/react-query';
import type { OrderList } from '#contracts/backoffice/order';
import { isNotFound } from './api-error.js';
import { ask } from './http.js';

/** A condition as the search takes it (contract, section 9). */
export type OrderCondition =
  | Readonly<{ field: string; op: string; value: string | number | boolean | readonly (string | number)[] }>
  | Readonly<{ and: readonly OrderCondition[] }>;

export type OrderQuestion = Readonly<{ where?: OrderCondition | undefined; q?: string | undefined; sort: string }>;

const PAGE = 100;

type Search = OrderQuestion & Readonly<{ limit: number; cursor?: string }>;

export async function searchOrders(question: Search, signal?: AbortSignal): Promise<OrderList> {
  try {
    return await ask<OrderList>('orders/search', { method: 'POST', body: question, ...(signal && { signal }) });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return await listOrders(question, signal);
  }
}

/** The older list, for a server without the search: it knows a few exact filters. */
async function listOrders({ where, q, sort, limit, cursor }: Search, signal?: AbortSignal): Promise<OrderList> {
  const parts = where ? ('and' in where ? where.and : [where]) : [];
  const query = new URLSearchParams({ sort, limit: String(limit), ...(q && { q }), ...(cursor && { cursor }) });
  for (const part of parts) {
    if ('field' in part && ['status', 'event_id', 'listing_id', 'ref_id', 'client_id'].includes(part.field))
      query.set(part.field, String(part.value));
  }
  const list = await ask<OrderList>(`orders?${query.toString()}`, signal && { signal });
  const after = parts.find((part) => 'field' in part && part.field === 'updated_at' && part.op === '>');
  if (!after || !('value' in after)) return list;
  return { ...list, orders: list.orders.filter(({ updated_at }) => updated_at > String(after.value)) };
}

/** The list, page after page. It stays as it is until somebody asks for the new orders. */
export const ordersQuery = (question: OrderQuestion) =>
  infiniteQueryOptions({
    queryKey: ['orders', question],
    queryFn: ({ pageParam, signal }) =>
      searchOrders({ ...question, limit: PAGE, ...(pageParam !== '' && { cursor: pageParam }) }, signal),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    staleTime: 10_000,
    refetchOnWindowFocus: false,
  });
