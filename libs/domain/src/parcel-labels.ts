import { type DomainError, domainError } from './domain-error.js';
import type { DecidedEvent } from './order-events.js';
import type { KnownOrder } from './order-state.js';
import { isStale, staleVersion } from './status-change.js';

export type LabelCommand = Readonly<{ type: 'PrintLabel'; labelId: string; expectedVersion?: number }>;

/** The label of the parcel: one until the carrier says that the parcel failed. */
export function decideLabel(command: LabelCommand, order: KnownOrder): readonly DecidedEvent[] | DomainError {
  if (isStale(order, command)) return staleVersion(order);
  const { status, purchase, delivery } = order;
  if (purchase.delivery_method !== 'ship' || purchase.delivery_form !== 'label') {
    return domainError('TRANSITION_NOT_ALLOWED', 'The parcel of this order has no label of ours.');
  }
  if (status === null || status.status === 'pending' || status.status === 'rejected') {
    return domainError('TRANSITION_NOT_ALLOWED', 'Only an order that is confirmed gets a label.');
  }
  if (delivery.parcel.label !== 'none') return [];
  return [{ type: 'LabelPrinted', data: { label_id: command.labelId } }];
}
