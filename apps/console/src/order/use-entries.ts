import { useInfiniteQuery } from '@tanstack/react-query';
import type { TimelineEntry } from '#desk/timeline.contract';
import type { OrderDetail } from '#orders/order.contract';
import { timelineQuery } from '../api/desk.js';
import { until } from './timeline-entries.js';

/** What happened to the order up to the shown version, newest first, as far as the timeline on the same page has read it. */
export function useEntries(order: OrderDetail, isPast: boolean): readonly TimelineEntry[] {
  // The timeline asks again by itself.
  const { data } = useInfiniteQuery({ ...timelineQuery(order.id), refetchInterval: false });
  return until(data?.pages.flatMap(({ entries }) => entries) ?? [], order, isPast);
}
