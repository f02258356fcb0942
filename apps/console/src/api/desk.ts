import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { OrderDetail, OrderEvents, Ping } from '#contracts/backoffice/order';
import { ask } from './http.js';

/** What a person may do with an order now, and what would follow (contract, section 9). */
export type OrderAction = Readonly<{
  action: string;
  label: string;
  status_code?: number;
  effects: readonly string[];
  needs: readonly string[];
  allowed: boolean;
  why_not?: string;
}>;

export type TimelineEntry = Readonly<{
  at: string;
  kind: string;
  actor: string | null;
  title: string;
  detail: unknown;
  transaction_id: string | null;
  version?: number;
}>;

export type TransactionChain = Readonly<{
  request: Readonly<Record<string, unknown>> | null;
  commands: readonly unknown[];
  events: readonly unknown[];
  payments: readonly unknown[];
  pings: readonly unknown[];
}>;

const orderPath = (id: string, rest = '') => `orders/${encodeURIComponent(id)}${rest}`;
const EVERY_MS = 1_000;

/** The order as it is now. It is asked for again each second, because colleagues and the platform change it too. */
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

/** Asked for again when the order changes: `version` is part of the key. */
export const actionsQuery = (id: string, version: number) =>
  queryOptions({
    queryKey: ['order', id, 'actions', version],
    queryFn: async ({ signal }) =>
      (await ask<{ actions: OrderAction[] }>(orderPath(id, '/actions'), { signal })).actions,
    staleTime: 30_000,
    retry: false,
  });

export const timelineQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['order', id, 'timeline'],
    queryFn: ({ pageParam, signal }) =>
      ask<{ entries: TimelineEntry[]; next_cursor: string | null }>(
        orderPath(id, `/timeline${pageParam === '' ? '' : `?cursor=${encodeURIComponent(pageParam)}`}`),
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    retry: false,
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

/** Does what an action of the list says, if the order still has this version. */
export function applyAction(
  id: string,
  version: number,
  action: OrderAction,
  input: ActionInput,
): Promise<OrderDetail> {
  const note = input['note']?.trim() ? { note: input['note'].trim() } : {};
  const options = { method: 'POST', ifMatch: version } as const;
  if (action.needs.includes('tracking_number')) {
    const data = { carrier: input['carrier']?.trim() ?? '', tracking_number: input['tracking_number']?.trim() ?? '' };
    return ask(orderPath(id, '/fulfillment'), { ...options, body: { type: 'ship', data, ...note } });
  }
  if (action.needs.includes('url')) {
    const data = { url: input['url']?.trim() ?? '' };
    return ask(orderPath(id, '/fulfillment'), { ...options, body: { type: 'download', data, ...note } });
  }
  return ask(orderPath(id, '/status'), { ...options, body: { status_code: action.status_code, ...note } });
}

export const sendPingAgain = (pingId: string): Promise<Ping> =>
  ask(`pings/${encodeURIComponent(pingId)}/send`, { method: 'POST' });

export const addNote = (id: string, text: string, visibility: 'internal' | 'partner'): Promise<unknown> =>
  ask(orderPath(id, '/notes'), { method: 'POST', body: { text, visibility } });

export const revealPersonalData = (id: string, reason: string): Promise<Readonly<Record<string, unknown>>> =>
  ask(orderPath(id, '/personal-data/reveal'), { method: 'POST', body: { reason } });
