import { queryOptions } from '@tanstack/react-query';
import type { OrderMail, OrderMailList } from '#fulfilment/mail.contract';
import { ask } from './http.js';

// A mail is sent within seconds, and that is no change of the order at first.
const EVERY_MS = 5_000;

export const mailsQuery = (orderId: string, version: number) =>
  queryOptions({
    queryKey: ['order', orderId, 'mails', version],
    queryFn: async ({ signal }) => (await ask('GET orders/{id}/mails', { path: { id: orderId }, signal })).mails,
    refetchInterval: ({ state }) => (state.data?.some((mail) => mail.state === 'due') ? EVERY_MS : false),
    retry: false,
  });

export const mailPreviewQuery = (orderId: string, kind: OrderMail['kind']) =>
  queryOptions({
    queryKey: ['order', orderId, 'mail preview', kind],
    queryFn: ({ signal }) => ask('POST orders/{id}/mails/preview', { path: { id: orderId }, body: { kind }, signal }),
    retry: false,
    gcTime: 0,
  });

export const sendMail = (orderId: string, kind: OrderMail['kind']): Promise<OrderMailList> =>
  ask('POST orders/{id}/mails', { path: { id: orderId }, body: { kind } });
