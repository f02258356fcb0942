import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { OrderDetail } from '#orders/order.contract';
import type { CustomQueueBody, Queue, QueuedOrder, QueueEscalation } from '#desk/queue.contract';
import { actionsQuery } from './desk.js';
import { ask, FIRST_PAGE } from './http.js';

// Changes of orders are announced, but the passing of time is not.
const EVERY_MS = 2_000;
const PAGE = 100;

export const queuesQuery = queryOptions({
  queryKey: ['queues'],
  queryFn: async ({ signal }) => (await ask('GET queues', { signal })).queues,
  refetchInterval: EVERY_MS,
});

/** Which orders of a queue: those that wait, those that wait for too long, or those of a built-in queue that were snoozed. */
export type QueuePart = 'waiting' | 'snoozed' | 'escalated';

export const queueOrdersQuery = (id: string, part: QueuePart) =>
  infiniteQueryOptions({
    queryKey: ['queues', id, 'orders', part],
    queryFn: ({ pageParam: cursor, signal }) => {
      const query = { limit: PAGE, ...(part !== 'waiting' && { [part]: 'true' }), cursor };
      return ask('GET queues/{id}/orders', { path: { id }, query, signal });
    },
    initialPageParam: FIRST_PAGE,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    refetchInterval: EVERY_MS,
  });

export const addQueue = (body: CustomQueueBody): Promise<Queue> => ask('POST queues', { body });

export const replaceQueue = (id: string, body: CustomQueueBody): Promise<Queue> =>
  ask('PUT queues/{id}', { path: { id }, body });

export const removeQueue = (id: string): Promise<void> => ask('DELETE queues/{id}', { path: { id } });

export const setEscalation = (id: string, body: QueueEscalation): Promise<void> =>
  ask('PUT queues/{id}/escalation', { path: { id }, body });

/** @param until ISO 8601; null brings the order back */
export const snoozeOrder = (id: string, until: string | null): Promise<OrderDetail> =>
  ask('PUT orders/{id}/snooze', { path: { id }, body: { until } });

/** Whether it waits for staff before its broker is asked. */
export const isUnderReview = ({ delivery, confirm_by: until, queue }: QueuedOrder): boolean =>
  delivery.next_action === 'confirm' && until === null && queue !== 'to_confirm';

/**
 * Says yes to an order as it was seen: ends its review, or confirms it for its broker. An order under review does not skip its broker. The
 * answer arrives even if the page goes away, so nothing is asked before: if its actions are not known yet, the row says which it is.
 */
export async function acceptOrder(client: QueryClient, order: QueuedOrder): Promise<OrderDetail> {
  const { id, version: ifMatch } = order;
  const known = client.getQueryData(actionsQuery(id, ifMatch).queryKey);
  const isReview = known?.some(({ action, allowed }) => action === 'approve' && allowed) ?? isUnderReview(order);
  const route = isReview ? 'POST orders/{id}/approve' : 'POST orders/{id}/accept';
  return await ask(route, { path: { id }, ifMatch, body: {}, keepalive: true });
}
