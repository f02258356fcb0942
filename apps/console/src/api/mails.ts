import { queryOptions } from '@tanstack/react-query';
import type { MailPreview, OrderMail, OrderMailList } from '#fulfilment/mail.contract';
import { ask } from './http.js';

const pathOf = (orderId: string, rest = '') => `orders/${encodeURIComponent(orderId)}/mails${rest}`;
// A mail is sent within seconds, and that is no change of the order at first.
const EVERY_MS = 5_000;

export const mailsQuery = (orderId: string, version: number) =>
  queryOptions({
    queryKey: ['order', orderId, 'mails', version],
    queryFn: async ({ signal }) => (await ask<OrderMailList>(pathOf(orderId), { signal })).mails,
    refetchInterval: ({ state }) => (state.data?.some((mail) => mail.state === 'due') ? EVERY_MS : false),
    retry: false,
  });

export const mailPreviewQuery = (orderId: string, kind: OrderMail['kind']) =>
  queryOptions({
    queryKey: ['order', orderId, 'mail preview', kind],
    queryFn: ({ signal }) => ask<MailPreview>(pathOf(orderId, '/preview'), { method: 'POST', body: { kind }, signal }),
    retry: false,
    gcTime: 0,
  });

export const sendMail = (orderId: string, kind: OrderMail['kind']): Promise<OrderMailList> =>
  ask(pathOf(orderId), { method: 'POST', body: { kind } });
