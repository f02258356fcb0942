import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { DenialReason } from '#orders/broker-answer.contract';
import type { OrderAction } from '#orders/order-action.contract';
import type { NewOrderNote, OrderNote } from '#orders/order-desk.contract';
import type { OrderDetail } from '#orders/order.contract';
import type { Ping } from '#outbound/ping.contract';
import { ask, FIRST_PAGE } from './http.js';

const EVERY_MS = 1_000;
const TIMELINE_EVERY_MS = 5_000;

/** The order as it is now. */
export const orderQuery = (id: string) =>
  queryOptions({
    queryKey: ['order', id],
    queryFn: ({ signal }) => ask('GET orders/{id}', { path: { id }, signal }),
    staleTime: EVERY_MS,
  });

/** The order as of a version. That never changes, except for an erasure. */
export const orderAsOfQuery = (id: string, version: number) =>
  queryOptions({
    queryKey: ['order', id, 'version', version],
    queryFn: ({ signal }) => ask('GET orders/{id}', { path: { id }, query: { version }, signal }),
    staleTime: 60_000,
  });

/** The order as it was at an instant (ISO 8601). */
export const orderAtQuery = (id: string, at: string) =>
  queryOptions({
    queryKey: ['order', id, 'at', at],
    queryFn: ({ signal }) => ask('GET orders/{id}', { path: { id }, query: { at }, signal }),
    retry: false,
  });

/** Read again when the order changes, because `version` is part of the key. */
export const actionsQuery = (id: string, version: number) =>
  queryOptions({
    queryKey: ['order', id, 'actions', version],
    queryFn: async ({ signal }) => (await ask('GET orders/{id}/actions', { path: { id }, signal })).actions,
    staleTime: 30_000,
    retry: false,
  });

/** Newest first. */
export const timelineQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['order', id, 'timeline'],
    queryFn: ({ pageParam, signal }) =>
      ask('GET orders/{id}/timeline', { path: { id }, query: { cursor: pageParam, sort: 'at.desc' }, signal }),
    initialPageParam: FIRST_PAGE,
    // Deliveries are not announced as changes of the order.
    refetchInterval: TIMELINE_EVERY_MS,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    retry: false,
  });

/** What differs between two versions. That never changes, except for an erasure. */
export const changesQuery = (id: string, from: number, to: number) =>
  queryOptions({
    queryKey: ['order', id, 'changes', from, to],
    queryFn: ({ signal }) => ask('GET orders/{id}/changes', { path: { id }, query: { from, to }, signal }),
    staleTime: 60_000,
  });

export const eventsQuery = (id: string, version: number) =>
  queryOptions({
    queryKey: ['order', id, 'events', version],
    queryFn: ({ signal }) => ask('GET orders/{id}/events', { path: { id }, signal }),
  });

export const transactionQuery = (transactionId: string) =>
  queryOptions({
    queryKey: ['transaction', transactionId],
    queryFn: ({ signal }) =>
      ask('GET transactions/{transaction_id}', { path: { transaction_id: transactionId }, signal }),
    retry: false,
  });

/** What was typed by the names that the action needs, and why, if it is a denial. */
export type ActionInput = Readonly<{ texts: Readonly<Record<string, string>>; reason: DenialReason }>;

/** Does an action of the list, if the order still has this version. A correction of what was sent also pings the platform. */
export function applyAction(
  { id, version, fulfillment, delivery }: OrderDetail,
  { action, status_code }: OrderAction,
  { texts, reason }: ActionInput,
): Promise<OrderDetail> {
  const text = (name: string) => texts[name]?.trim() ?? '';
  const note = text('note') === '' ? {} : { note: text('note') };
  const order = { path: { id }, ifMatch: version };
  if (action === 'accept_replacement') return ask('POST orders/{id}/replacement/accept', { ...order, body: note });
  if (action === 'reject_replacement') return ask('POST orders/{id}/replacement/reject', { ...order, body: note });
  if (action === 'approve') return ask('POST orders/{id}/approve', { ...order, body: note });
  if (action === 'record_pickup') return reportPickup(id, delivery.type, note);
  if (action === 'accept') return ask('POST orders/{id}/accept', { ...order, body: note });
  if (action === 'deny') return ask('POST orders/{id}/deny', { ...order, body: { reason, ...note } });
  if (action === 'change_status' && status_code !== undefined)
    return ask('POST orders/{id}/status', { ...order, body: { status_code, ...note } });
  const how =
    action === 'ship'
      ? ({ type: 'ship', data: { carrier: text('carrier'), tracking_number: text('tracking_number') } } as const)
      : ({ type: 'download', data: { url: text('url') } } as const);
  const correction = fulfillment ? { send_ping: true } : {};
  return ask('POST orders/{id}/fulfillment', { ...order, body: { ...how, ...note, ...correction } });
}

/** A report never leads an order backwards, so it asks for no version. */
async function reportPickup(
  id: string,
  type: OrderDetail['delivery']['type'],
  note: Readonly<{ note?: string }>,
): Promise<OrderDetail> {
  const kind = type === 'ship' ? 'parcel_picked_up' : 'picked_up';
  await ask('POST delivery-reports', { body: { order_id: id, kind, ...note } });
  return ask('GET orders/{id}', { path: { id } });
}

export const sendPingAgain = (pingId: string): Promise<Ping> => ask('POST pings/{id}/send', { path: { id: pingId } });

/** The bodies that the platform sent, by the id of the ping and the number of the attempt. */
export const pingAnswersQuery = (id: string) =>
  queryOptions({
    queryKey: ['order', id, 'ping-answers'],
    queryFn: async ({ signal }) => {
      const { pings } = await ask('GET pings', { query: { limit: 200, order_id: id }, signal });
      const answers = pings.flatMap((ping) =>
        ping.attempts.flatMap(({ attempt, answer }) => (answer ? [[`${ping.id} ${attempt}`, answer] as const] : [])),
      );
      return new Map(answers);
    },
    retry: false,
  });

export const addNote = (id: string, note: NewOrderNote): Promise<OrderNote> =>
  ask('POST orders/{id}/notes', { path: { id }, body: note });

export const revealPersonalData = (id: string, reason: string): Promise<Readonly<Record<string, unknown>>> =>
  ask('POST orders/{id}/personal-data/reveal', { path: { id }, body: { reason } });
