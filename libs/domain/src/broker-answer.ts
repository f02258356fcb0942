import { DomainError, domainError } from './domain-error.js';
import type { DecidedEvent, DenialReason } from './order-events.js';
import type { KnownOrder } from './order-state.js';
import type { CatalogueEntry, StatusCatalogue } from './status-catalogue.js';
import { changeStatus, isStale, staleVersion } from './status-change.js';

type Answered = Readonly<{
  /** When the answer arrived, ISO 8601. */
  at: string;
  note?: string;
  expectedVersion?: number;
}>;

/** What the broker says about an order that waits: yes, or no and why. */
export type BrokerAnswer =
  (Readonly<{ type: 'Accept' }> & Answered) | (Readonly<{ type: 'Deny'; reason: DenialReason }> & Answered);

/** The status that a denial gives, by its reason. */
export const CODE_OF_DENIAL: Readonly<Record<DenialReason, number>> = {
  not_available: 3003,
  denied: 3004,
  price_error: 3004,
  duplicate: 3004,
  other: 3004,
  fraud: 3002,
  event_cancelled: 3007,
};

/** An answer counts until the deadline. The same answer again changes nothing. */
export function answerPurchase(
  command: BrokerAnswer,
  order: KnownOrder,
  catalogue: StatusCatalogue,
): readonly DecidedEvent[] | DomainError {
  const entry = entryOf(command, catalogue);
  if (!entry) return domainError('STATUS_CODE_UNKNOWN', 'The status of this reason is not in the status catalogue.');
  if (isStale(order, command)) return staleVersion(order);
  const { status, deadline } = order;
  if (status?.status_code === entry.status.status_code) return [];
  const isLate = deadline?.for === 'confirmation' && command.at >= deadline.at;
  if (isLate || status?.status_code === catalogue.role('broker_did_not_respond').status.status_code) {
    return domainError('DEADLINE_PASSED', 'The time to answer is over.');
  }
  if (status?.status !== 'pending')
    return domainError('TRANSITION_NOT_ALLOWED', 'The order does not wait for an answer.');
  const changed = changeStatus(order, entry, catalogue, command);
  if (changed instanceof DomainError || command.type === 'Accept') return changed;
  const { reason } = command;
  return changed.map((event) =>
    event.type === 'OrderRejected' ? { ...event, data: { ...event.data, reason } } : event,
  );
}

function entryOf(command: BrokerAnswer, catalogue: StatusCatalogue): CatalogueEntry | undefined {
  return command.type === 'Accept' ? catalogue.role('confirmed') : catalogue.entry(CODE_OF_DENIAL[command.reason]);
}
