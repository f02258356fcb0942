import { queryOptions } from '@tanstack/react-query';
import type { OrderTicket, TicketLink, TicketList } from '#fulfilment/ticket.contract';
import { addressOf, ask } from './http.js';

export type ChosenTicket = Readonly<{ file: File; barcode: string; seat: string }>;

/** Read again when the order changes, because `version` is part of the key. */
export const ticketsQuery = (orderId: string, version: number) =>
  queryOptions({
    queryKey: ['order', orderId, 'tickets', version],
    queryFn: async ({ signal }) => (await ask('GET orders/{id}/tickets', { path: { id: orderId }, signal })).tickets,
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
  return ask('POST orders/{id}/tickets', { path: { id: orderId }, form });
}

/** Passes for Apple Wallet. Those that are there and have not changed stay as they are. */
export const makeWalletPasses = (orderId: string, seats: readonly string[]): Promise<TicketList> =>
  ask('POST orders/{id}/tickets/made', { path: { id: orderId }, body: { kind: 'pkpass', seats: [...seats] } });

export const linkTicket = (orderId: string, ticketId: string, minutes: number): Promise<TicketLink> =>
  ask('POST orders/{id}/tickets/{ticket_id}/link', {
    path: { id: orderId, ticket_id: ticketId },
    body: { expires_in_minutes: minutes },
  });

export const removeTicket = (orderId: string, ticketId: string): Promise<void> =>
  ask('DELETE orders/{id}/tickets/{ticket_id}', { path: { id: orderId, ticket_id: ticketId } });

/** Where a browser opens the file with the session of this page. */
export const ticketFileAddress = (orderId: string, { id }: Pick<OrderTicket, 'id'>): string =>
  addressOf('GET orders/{id}/tickets/{ticket_id}/file', { path: { id: orderId, ticket_id: id } });
