import { type DomainError, domainError } from './domain-error.js';
import { openingEvents } from './opening.js';
import type { StatusEvent } from './order-events.js';
import type { KnownOrder } from './order-state.js';
import type { StatusCatalogue } from './status-catalogue.js';
import { isStale, staleVersion } from './status-change.js';

/** A person has found nothing wrong with an order under review. */
export type ReviewApproval = Readonly<{ type: 'ApproveReview'; note?: string; expectedVersion?: number }>;

/** The order goes on as if it had never been held: to its broker, whose time begins now, or to its confirmation. */
export function approveReview(
  { note, ...command }: ReviewApproval,
  order: KnownOrder,
  catalogue: StatusCatalogue,
): readonly StatusEvent[] | DomainError {
  if (isStale(order, command)) return staleVersion(order);
  const [opened, ...answers] = openingEvents({ ...order.purchase, hold_for_review: false }, catalogue);
  const code = order.status?.status_code;
  const gives = (answers.at(-1) ?? opened).data.status.status_code;
  if (code !== catalogue.role('manual_review').status.status_code) {
    return code === gives ? [] : domainError('TRANSITION_NOT_ALLOWED', 'The order is not under review.');
  }
  const noted = { ...opened, data: note === undefined ? opened.data : { ...opened.data, note } } as StatusEvent;
  return [noted, ...answers];
}
