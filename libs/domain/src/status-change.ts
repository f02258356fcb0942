import { type DomainError, domainError } from './domain-error.js';
import type { StatusEvent } from './order-events.js';
import type { KnownOrder } from './order-state.js';
import type { CatalogueEntry, StatusCatalogue } from './status-catalogue.js';

type Change = Readonly<{ note?: string; expectedVersion?: number }>;

/** The event that gives the order this status; none if it has it. */
export function changeStatus(
  order: KnownOrder,
  entry: CatalogueEntry,
  catalogue: StatusCatalogue,
  { note, expectedVersion }: Change,
): readonly StatusEvent[] | DomainError {
  if (order.status === null) return domainError('TRANSITION_NOT_ALLOWED', 'The purchase has not become an order.');
  if (isStale(order, { expectedVersion })) return staleVersion(order);
  if (order.status.status_code === entry.status.status_code) return [];
  if (!catalogue.allows(order.status.status, entry.status.status)) {
    const { status: from } = order.status;
    return domainError('TRANSITION_NOT_ALLOWED', `An order that is ${from} cannot become ${entry.status.status}.`);
  }
  return [statusEvent(entry, note)];
}

export function statusEvent({ event, status }: CatalogueEntry, note?: string): StatusEvent {
  return { type: event, data: note === undefined ? { status } : { status, note } };
}

export function isStale(
  { version }: KnownOrder,
  { expectedVersion }: { expectedVersion?: number | undefined },
): boolean {
  return expectedVersion !== undefined && expectedVersion !== version;
}

export function staleVersion({ version }: KnownOrder): DomainError {
  return domainError('VERSION_STALE', `The order is at version ${version} by now.`);
}
