import { domainError } from '../domain-error.js';
import type { TicketFile } from './order-events.js';
import type { KnownOrder } from './order-state.js';
import { isStale, staleVersion } from './status-change.js';

export type TicketFileCommand =
  | Readonly<{ type: 'AttachTickets'; files: readonly TicketFile[]; expectedVersion?: number }>
  | Readonly<{ type: 'RemoveTicket'; ticketId: string }>
  /** `link` is null for staff, who may also look at the tickets of an order that has ended. */
  | Readonly<{ type: 'RecordTicketDownload'; ticketId: string; link: string | null }>;

/** An order has at most nine tickets or so; the rest is for corrections. */
const MOST_FILES = 100;
// Each download is an event. Whoever has a link must not make the order's history endless.
const MOST_DOWNLOADS = 1_000;

/** Tickets as files: they come, are handed out, and can be taken back. */
export function decideTicketFiles(command: TicketFileCommand, order: KnownOrder) {
  const { ids, downloads } = order.ticketFiles;
  if (command.type === 'AttachTickets') {
    if (isStale(order, command)) return staleVersion(order);
    if (order.status === null || order.status.status === 'rejected') {
      return domainError('TRANSITION_NOT_ALLOWED', 'Only an order that is not rejected gets tickets.');
    }
    if (ids.length + command.files.length > MOST_FILES) {
      return domainError('CONFLICT', `An order has at most ${MOST_FILES} ticket files.`);
    }
    return [{ type: 'TicketsAttached', data: { files: command.files } } as const];
  }
  const { ticketId } = command;
  if (command.type === 'RemoveTicket') {
    return ids.includes(ticketId) ? [{ type: 'TicketRemoved', data: { ticket_id: ticketId } } as const] : [];
  }
  const { link } = command;
  if (link !== null && (!ids.includes(ticketId) || order.status?.status === 'rejected')) {
    return domainError('TICKET_UNKNOWN', 'The ticket is no longer available.');
  }
  if (downloads >= MOST_DOWNLOADS) return domainError('CONFLICT', 'The tickets were opened too often.');
  return [{ type: 'TicketDownloaded', data: { ticket_id: ticketId, link } } as const];
}
