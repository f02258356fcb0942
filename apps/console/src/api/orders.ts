import { infiniteQueryOptions } from '@tanstack/react-query';
import type { OrderList } from '#orders/order.contract';
import { ask } from './http.js';

/** A condition as POST /orders/search takes it. */
export type OrderCondition =
  | Readonly<{ field: string; op: string; value: string | number | boolean | readonly (string | number)[] }>
  | Readonly<{ and: readonly OrderCondition[] }>;

export type OrderQuestion = Readonly<{ where?: OrderCondition | undefined; q?: string | undefined; sort: string }>;

const PAGE = 100;

export function searchOrders(
  question: OrderQuestion & Readonly<{ limit: number; cursor?: string }>,
  signal?: AbortSignal,
): Promise<OrderList> {
  return ask('orders/search', { method: 'POST', body: question, ...(signal && { signal }) });
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
