import { queryOptions } from '@tanstack/react-query';
import type { OrderTicket, OrderTicketList, TicketLink, TicketList } from '#fulfilment/ticket.contract';
import { ask } from './http.js';
import { PATH_PREFIX } from './path-prefix.js';

export type ChosenTicket = Readonly<{ file: File; barcode: string; seat: string }>;

const pathOf = (orderId: string, rest = '') => `orders/${encodeURIComponent(orderId)}/tickets${rest}`;

/** Read again when the order changes, because `version` is part of the key. */
export const ticketsQuery = (orderId: string, version: number) =>
  queryOptions({
    queryKey: ['order', orderId, 'tickets', version],
    queryFn: async ({ signal }) => (await ask<OrderTicketList>(pathOf(orderId), { signal })).tickets,
    retry: false,
  });

export function addTickets(orderId: string, chosen: readonly ChosenTicket[]): Promise<TicketList> {
  const form = new FormData();
  for (const { file, barcode, seat } of chosen) {
    // Browsers do not know the type of a pkpass everywhere.
    form.append('file', file.type === '' ? new File([file], file.name, { type: 'application/octet-stream' }) : file);
    form.append('barcode', barcode.trim());
    form.append('seat', seat.trim());
  }
  return ask(pathOf(orderId), { method: 'POST', form });
}

export const linkTicket = (orderId: string, ticketId: string, minutes: number): Promise<TicketLink> =>
  ask(pathOf(orderId, `/${ticketId}/link`), { method: 'POST', body: { expires_in_minutes: minutes } });

export const removeTicket = (orderId: string, ticketId: string): Promise<void> =>
  ask(pathOf(orderId, `/${ticketId}`), { method: 'DELETE' });

/** Where a browser opens the file with the session of this page. */
export const ticketFileAddress = (orderId: string, { id }: Pick<OrderTicket, 'id'>): string =>
  `${PATH_PREFIX}/backoffice/v1/${pathOf(orderId, `/${id}/file`)}`;
