import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { OrderDetail } from '#orders/order.contract';
import type { OwnQueueBody, Queue, QueueEscalation, QueueList, QueuePage } from '#desk/queue.contract';
import { ask } from './http.js';

// Changes of orders are announced, but the passing of time is not.
const EVERY_MS = 2_000;
const PAGE = 100;

export const queuesQuery = queryOptions({
  queryKey: ['queues'],
  queryFn: async ({ signal }) => (await ask<QueueList>('queues', { signal })).queues,
  refetchInterval: EVERY_MS,
});

/** Which orders of a queue: those that wait, those that wait for too long, or those of a built-in queue that were snoozed. */
export type QueuePart = 'waiting' | 'snoozed' | 'escalated';

export const queueOrdersQuery = (id: string, part: QueuePart) =>
  infiniteQueryOptions({
    queryKey: ['queues', id, 'orders', part],
    queryFn: ({ pageParam, signal }) => {
      const cursor = pageParam === '' ? '' : `&cursor=${encodeURIComponent(pageParam)}`;
      return ask<QueuePage>(
        `queues/${encodeURIComponent(id)}/orders?limit=${PAGE}${part === 'waiting' ? '' : `&${part}=true`}${cursor}`,
        { signal },
      );
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    refetchInterval: EVERY_MS,
  });

export const addQueue = (body: OwnQueueBody): Promise<Queue> => ask('queues', { method: 'POST', body });

export const replaceQueue = (id: string, body: OwnQueueBody): Promise<Queue> =>
  ask(`queues/${encodeURIComponent(id)}`, { method: 'PUT', body });

export const removeQueue = (id: string): Promise<void> => ask(`queues/${encodeURIComponent(id)}`, { method: 'DELETE' });

export const setEscalation = (id: string, body: QueueEscalation): Promise<void> =>
  ask(`queues/${encodeURIComponent(id)}/escalation`, { method: 'PUT', body });

/** @param until ISO 8601; null brings the order back */
export const snoozeOrder = (id: string, until: string | null): Promise<OrderDetail> =>
  ask(`orders/${encodeURIComponent(id)}/snooze`, { method: 'PUT', body: { until } });
