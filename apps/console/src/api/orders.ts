import { infiniteQueryOptions } from '@tanstack/react-query';
import type { OrderList } from '#orders/order.contract';
import { ask, type Request } from './http.js';

type Search = Request<'POST orders/search'>['body'];

export type OrderQuestion = Pick<Search, 'where' | 'q' | 'sort'>;
export type OrderCondition = NonNullable<Search['where']>;

const PAGE = 100;

export function searchOrders(question: Search, signal?: AbortSignal): Promise<OrderList> {
  return ask('POST orders/search', { body: question, ...(signal && { signal }) });
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
