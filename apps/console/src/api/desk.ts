import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { OrderAction, OrderActionList } from '#orders/order-action.contract';
import type { NewOrderNote, OrderNote } from '#orders/order-desk.contract';
import type { OrderChanges, OrderDetail, OrderEvents } from '#orders/order.contract';
import type { Ping } from '#outbound/ping.contract';
import type { PingList } from '#outbound/ping.contract';
import type { Timeline } from '#desk/timeline.contract';
import { ask } from './http.js';

export type TransactionChain = Readonly<{
  request: Readonly<Record<string, unknown>> | null;
  commands: readonly unknown[];
  events: readonly unknown[];
  payments: readonly unknown[];
  pings: readonly unknown[];
}>;

const orderPath = (id: string, rest = '') => `orders/${encodeURIComponent(id)}${rest}`;
const EVERY_MS = 1_000;
const TIMELINE_EVERY_MS = 5_000;

/** The order as it is now. */
export const orderQuery = (id: string) =>
  queryOptions({
    queryKey: ['order', id],
    queryFn: ({ signal }) => ask<OrderDetail>(orderPath(id), { signal }),
    staleTime: EVERY_MS,
  });

/** The order as of a version. That never changes, except for an erasure. */
export const orderAsOfQuery = (id: string, version: number) =>
  queryOptions({
    queryKey: ['order', id, 'version', version],
    queryFn: ({ signal }) => ask<OrderDetail>(orderPath(id, `?version=${version}`), { signal }),
    staleTime: 60_000,
  });

/** Read again when the order changes, because `version` is part of the key. */
export const actionsQuery = (id: string, version: number) =>
  queryOptions({
    queryKey: ['order', id, 'actions', version],
    queryFn: async ({ signal }) => (await ask<OrderActionList>(orderPath(id, '/actions'), { signal })).actions,
    staleTime: 30_000,
    retry: false,
  });

export const timelineQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['order', id, 'timeline'],
    queryFn: ({ pageParam, signal }) =>
      ask<Timeline>(orderPath(id, `/timeline${pageParam === '' ? '' : `?cursor=${encodeURIComponent(pageParam)}`}`), {
        signal,
      }),
    initialPageParam: '',
    // Deliveries are not announced as changes of the order.
    refetchInterval: TIMELINE_EVERY_MS,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    retry: false,
  });

/** What differs between two versions. That never changes, except for an erasure. */
export const changesQuery = (id: string, from: number, to: number) =>
  queryOptions({
    queryKey: ['order', id, 'changes', from, to],
    queryFn: ({ signal }) => ask<OrderChanges>(orderPath(id, `/changes?from=${from}&to=${to}`), { signal }),
    staleTime: 60_000,
  });

export const eventsQuery = (id: string, version: number) =>
  queryOptions({
    queryKey: ['order', id, 'events', version],
    queryFn: ({ signal }) => ask<OrderEvents>(orderPath(id, '/events'), { signal }),
  });

export const transactionQuery = (transactionId: string) =>
  queryOptions({
    queryKey: ['transaction', transactionId],
    queryFn: ({ signal }) => ask<TransactionChain>(`transactions/${encodeURIComponent(transactionId)}`, { signal }),
    retry: false,
  });

export type ActionInput = Readonly<Record<string, string>>;

/** Does an action of the list, if the order still has this version. A correction of what was sent also pings the platform. */
export function applyAction(
  { id, version, fulfillment }: OrderDetail,
  { action, status_code }: OrderAction,
  input: ActionInput,
): Promise<OrderDetail> {
  const text = (name: string) => input[name]?.trim() ?? '';
  const note = text('note') === '' ? {} : { note: text('note') };
  const options = { method: 'POST', ifMatch: version } as const;
  if (action === 'accept_replacement') return ask(orderPath(id, '/replacement/accept'), { ...options, body: note });
  if (action === 'reject_replacement') return ask(orderPath(id, '/replacement/reject'), { ...options, body: note });
  if (action === 'approve') return ask(orderPath(id, '/approve'), { ...options, body: note });
  if (action === 'accept') return ask(orderPath(id, '/accept'), { ...options, body: note });
  if (action === 'deny') return ask(orderPath(id, '/deny'), { ...options, body: { reason: text('reason'), ...note } });
  if (action === 'change_status') return ask(orderPath(id, '/status'), { ...options, body: { status_code, ...note } });
  const sent =
    action === 'ship'
      ? { type: 'ship', data: { carrier: text('carrier'), tracking_number: text('tracking_number') } }
      : { type: 'download', data: { url: text('url') } };
  const correction = fulfillment ? { send_ping: true } : {};
  return ask(orderPath(id, '/fulfillment'), { ...options, body: { ...sent, ...note, ...correction } });
}

export const sendPingAgain = (pingId: string): Promise<Ping> =>
  ask(`pings/${encodeURIComponent(pingId)}/send`, { method: 'POST' });

/** The bodies that the platform sent, by the id of the ping and the number of the attempt. */
export const pingAnswersQuery = (id: string) =>
  queryOptions({
    queryKey: ['order', id, 'ping-answers'],
    queryFn: async ({ signal }) => {
      const { pings } = await ask<PingList>(`pings?limit=200&order_id=${encodeURIComponent(id)}`, { signal });
      const answers = pings.flatMap((ping) =>
        ping.attempts.flatMap(({ attempt, answer }) => (answer ? [[`${ping.id} ${attempt}`, answer] as const] : [])),
      );
      return new Map(answers);
    },
    retry: false,
  });

export const addNote = (id: string, note: NewOrderNote): Promise<OrderNote> =>
  ask(orderPath(id, '/notes'), { method: 'POST', body: note });

export const revealPersonalData = (id: string, reason: string): Promise<Readonly<Record<string, unknown>>> =>
  ask(orderPath(id, '/personal-data/reveal'), { method: 'POST', body: { reason } });
