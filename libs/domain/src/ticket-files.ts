import { domainError } from './domain-error.js';
import type { TicketFile } from './order-events.js';
import type { KnownOrder } from './order-state.js';
import { fileOf } from './handover.js';
import { seatsOf } from './seats.js';
import { isStale, staleVersion } from './status-change.js';

export type TicketFileCommand =
  | Readonly<{ type: 'AttachTickets'; files: readonly TicketFile[]; expectedVersion?: number }>
  | Readonly<{ type: 'RemoveTicket'; ticketId: string }>
  | Readonly<{ type: 'RecordTicketDownload'; ticketId: string; link: string }>;

/** An order has at most nine tickets or so; the rest is for corrections. */
const MOST_FILES = 100;

/** Tickets as files: they come, are handed out, and can be taken back. */
export function decideTicketFiles(command: TicketFileCommand, order: KnownOrder) {
  const { ids, handedOut } = order.ticketFiles;
  if (command.type === 'AttachTickets') {
    if (isStale(order, command)) return staleVersion(order);
    if (order.status === null || order.status.status === 'rejected') {
      return domainError('TRANSITION_NOT_ALLOWED', 'Only an order that is not rejected gets tickets.');
    }
    if (ids.length + command.files.length > MOST_FILES) {
      return domainError('CONFLICT', `An order has at most ${MOST_FILES} ticket files.`);
    }
    return [{ type: 'TicketsAttached', data: { files: withSeats(order, command.files) } } as const];
  }
  const { ticketId } = command;
  if (command.type === 'RemoveTicket') {
    return ids.includes(ticketId) ? [{ type: 'TicketRemoved', data: { ticket_id: ticketId } } as const] : [];
  }
  if (!ids.includes(ticketId) || order.status?.status === 'rejected') {
    return domainError('TICKET_UNKNOWN', 'The ticket is no longer available.');
  }
  // The first time changes the order: what went out is not sold again. Whoever has a link must not change it as often as they like.
  if (handedOut.includes(ticketId)) return [];
  return [{ type: 'TicketDownloaded', data: { ticket_id: ticketId, link: command.link } } as const];
}

/** Seats that the listing did not name take the files in their order, whatever the seller calls them. */
function withSeats(order: KnownOrder, files: readonly TicketFile[]): TicketFile[] {
  const seats = seatsOf(order);
  const named = files.map(({ seat }) => seat);
  const free: string[] = order.purchase.product.seats
    ? []
    : seats.filter((seat) => !named.includes(seat) && fileOf(order, seat) === null);
  return files.map((file) => {
    if (file.seat === undefined || file.seat === null || seats.includes(file.seat)) return file;
    return { ...file, seat: free.shift() ?? null };
  });
}
