import { type DomainError, domainError } from './domain-error.js';
import type { DecidedEvent } from './order-events.js';
import type { KnownOrder } from './order-state.js';
import { refundOfTheRest } from './refunds.js';
import type { StatusCatalogue } from './status-catalogue.js';
import { changeStatus } from './status-change.js';

/** The event of the order does not take place. `refund`: who gives the money of an order that it ends back, and the id of that refund. */
export type EventCancellation = Readonly<{
  type: 'CancelEvent';
  note?: string;
  expectedVersion?: number;
  refund?: Readonly<{ refundId: string; requestedBy: string }>;
}>;

// Contract, section 4. Tickets that were sent cannot be taken back by the system, so a person ends such an order.
const NOTHING_SENT = 3007;
const TICKETS_SENT = 4007;

/** Ends the order if its tickets were not sent, and otherwise raises an exception. An order that has ended stays as it is. */
export function cancelEvent(
  command: EventCancellation,
  order: KnownOrder,
  catalogue: StatusCatalogue,
): readonly DecidedEvent[] | DomainError {
  if (order.status?.status === 'rejected') return [];
  const code = order.tickets.sent ? TICKETS_SENT : NOTHING_SENT;
  const entry = catalogue.entry(code);
  if (!entry) return domainError('STATUS_CODE_UNKNOWN', `The status ${code} is not in the status catalogue.`);
  const decided = changeStatus(order, entry, catalogue, command);
  if (decided instanceof Error || command.refund === undefined || code === TICKETS_SENT) return decided;
  return [...decided, ...refundOfTheRest(order, { ...command.refund, reason: 'event_cancelled' })];
}
