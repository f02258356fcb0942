import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { ordersQuery } from '../api/orders.js';
import { type ListState, readAddress, writeAddress } from './list-address.js';
import { questionOf } from './list-question.js';
import { useLiveOrders } from './use-live-orders.js';
import { useViews } from './use-views.js';

/** The orders that the address asks for. */
export function useOrderList() {
  const search = useSearch({ from: '/frame/orders' });
  const navigate = useNavigate();
  const state = useMemo(() => readAddress(search), [search]);
  const choice = useViews(state);
  const { hidden } = choice;
  const question = useMemo(() => questionOf(state, hidden), [state, hidden]);
  const list = useInfiniteQuery({
    ...ordersQuery(question),
    placeholderData: (before) => before,
    enabled: choice.isReady,
  });
  const orders = useMemo(() => list.data?.pages.flatMap((page) => page.orders) ?? [], [list.data]);
  // Those of the question before, while this one is on its way.
  const isOld = list.isPlaceholderData;
  const { fresh, isStale } = useLiveOrders(question, isOld ? 0 : list.dataUpdatedAt);
  const show = useCallback(
    (change: Partial<ListState>) => {
      const next = { ...state, ...change };
      const isAll = next.q === '' && next.filters.length === 0 && !hidden;
      void navigate({ to: '/orders', search: writeAddress(isAll ? { ...next, view: null } : next) });
    },
    [state, hidden, navigate],
  );
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return { state, choice, question, list, orders, isOld, fresh, isStale, show, more };
}

export type OrderList = ReturnType<typeof useOrderList>;
