import { DomainError, domainError } from './domain-error.js';
import type { DecidedEvent, ProposedTickets, StatusEventType } from './order-events.js';
import type { KnownOrder } from './order-state.js';
import type { PurchaseParts } from './payment-events.js';
import { returnDue } from './payment-steps.js';
import { totalOf } from './purchase-parts.js';
import type { CatalogueEntry, StatusCatalogue } from './status-catalogue.js';
import { changeStatus, isStale, staleVersion, statusEvent } from './status-change.js';

type Asked = Readonly<{ note?: string; expectedVersion?: number }>;

export type ReplacementCommand =
  /** `parts`: what the tickets would have cost the buyer; missing if nobody pays here. */
  | (Readonly<{ type: 'ProposeReplacement'; tickets: ProposedTickets; parts?: PurchaseParts }> & Asked)
  /** `at`: when the buyer's answer arrived, ISO 8601. */
  | (Readonly<{ type: 'AcceptReplacement' | 'RejectReplacement'; at: string }> & Asked)
  | Readonly<{ type: 'ExpireReplacement'; expectedVersion: number }>;

/** Other tickets for the buyer: one offer at a time, which the buyer accepts, rejects, or lets lapse. */
export function decideReplacement(
  command: ReplacementCommand,
  order: KnownOrder,
  catalogue: StatusCatalogue,
): readonly DecidedEvent[] | DomainError {
  const isOpen = order.replacement?.state === 'open';
  if (command.type === 'ExpireReplacement') {
    return isOpen && command.expectedVersion === order.version ? [{ type: 'ReplacementLapsed', data: {} }] : [];
  }
  if (isStale(order, command)) return staleVersion(order);
  if (command.type === 'ProposeReplacement') return propose(command, order, catalogue);
  const isAcceptance = command.type === 'AcceptReplacement';
  const entry = entryOf(isAcceptance ? 'ReplacementAccepted' : 'ReplacementRejected', catalogue);
  if (entry instanceof DomainError) return entry;
  if (!isOpen) {
    if (order.status?.status_code === entry.status.status_code) return [];
    return order.replacement?.state === 'lapsed'
      ? offerLapsed()
      : domainError('CONFLICT', 'No other tickets are offered.');
  }
  if (command.at >= (order.replacement?.expires_at ?? '')) return offerLapsed();
  return changeStatus(order, entry, catalogue, command);
}

/** What follows the acceptance of the other tickets. The hold of cheaper tickets is taken in part. What was taken already is given back as a refund, which the worker asks for. */
export function lessToTake({ payment, replacement }: KnownOrder): readonly DecidedEvent[] {
  if (replacement?.state !== 'open') return [];
  const cheaper = -(replacement.difference_cents ?? 0);
  if (payment.is !== 'authorised' || cheaper <= 0) return [];
  const { provider, reference } = payment;
  const data = { provider, reference, how: 'voided', amount_cents: cheaper, part_reference: reference } as const;
  return [{ type: 'PaymentPartlyReleased', data }];
}

function isPaid({ payment }: KnownOrder): boolean {
  return payment.is === 'authorised' || payment.is === 'captured';
}

function propose(
  { tickets, parts, note }: Extract<ReplacementCommand, { type: 'ProposeReplacement' }>,
  order: KnownOrder,
  catalogue: StatusCatalogue,
): readonly DecidedEvent[] | DomainError {
  const entry = entryOf('ReplacementOffered', catalogue);
  if (entry instanceof DomainError) return entry;
  if (order.replacement?.state === 'open') return domainError('CONFLICT', 'Other tickets are offered already.');
  if (order.status === null || order.payment.is === 'asked') {
    return domainError('TRANSITION_NOT_ALLOWED', 'The payment is still open.');
  }
  if (!catalogue.allows(order.status.status, entry.status.status)) {
    return domainError('TRANSITION_NOT_ALLOWED', `An order that is ${order.status.status} gets no other tickets.`);
  }
  if (returnDue(order) > 0) {
    return domainError('CONFLICT', 'The difference to the tickets before is still being given back.');
  }
  const data =
    parts && isPaid(order)
      ? { ...tickets, difference_cents: totalOf(parts) - order.purchase.total_cents, parts }
      : tickets;
  // The same code again is no change of status, so the second offer has no status event to carry its note.
  if (order.status.status_code === entry.status.status_code) {
    return [{ type: 'ReplacementProposed', data: note === undefined ? data : { ...data, note } }];
  }
  return [{ type: 'ReplacementProposed', data }, statusEvent(entry, note)];
}

function entryOf(event: StatusEventType, catalogue: StatusCatalogue): CatalogueEntry | DomainError {
  const entry = catalogue.entries.find((one) => one.event === event);
  return entry ?? domainError('STATUS_CODE_UNKNOWN', 'The status catalogue has no status for other tickets.');
}

const offerLapsed = () => domainError('DEADLINE_PASSED', 'The offer has lapsed.');
