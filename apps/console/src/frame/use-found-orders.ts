import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { canBeAsked } from '../api/can-be-asked.js';
import type { OrderSummary } from '#orders/order.contract';
import { searchOrders } from '../api/orders.js';

const PAUSE_MS = 150;
const MOST = 6;
const NONE: readonly OrderSummary[] = [];

type Found = Readonly<{
  orders: readonly OrderSummary[];
  isSearching: boolean;
  /** The orders match an earlier text. */
  isStale: boolean;
}>;

/** The newest orders that match this text. */
export function useFoundOrders(text: string): Found {
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const isQuestion = canBeAsked(asked);
  const { data, isFetching, isPlaceholderData } = useQuery({
    queryKey: ['found-orders', asked],
    queryFn: ({ signal }) => searchOrders({ q: asked, sort: 'placed_at.desc', limit: MOST }, signal),
    enabled: isQuestion,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const isShort = !canBeAsked(text);
  const isStale = !isShort && (isPlaceholderData || asked !== text);
  return { orders: isShort ? NONE : (data?.orders ?? NONE), isSearching: isStale || (!isShort && isFetching), isStale };
}
