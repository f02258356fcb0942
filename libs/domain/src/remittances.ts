import { domainError } from './domain-error.js';
import type { KnownOrder } from './order-state.js';

/** A line of what a wholesale client says that it paid. Less than 0: paid back. `paidOn`: YYYY-MM-DD. */
export type RemittanceCommand = Readonly<{
  type: 'RecordRemittance';
  clientId: string;
  amountCents: number;
  paidOn: string;
}>;

/** The same client, day and amount is one payment for an order, in however many files it comes. */
export function remittanceReference({ clientId, amountCents, paidOn }: Omit<RemittanceCommand, 'type'>): string {
  return `${clientId}-${paidOn}-${amountCents}`;
}

/** None if the payment is recorded already. */
export function decideRemittance(command: RemittanceCommand, { purchase, booked }: KnownOrder) {
  const { clientId, amountCents, paidOn } = command;
  if (purchase.payment !== null || purchase.client_id !== clientId) {
    return domainError('ORDER_UNKNOWN', 'The client has no such order.');
  }
  const reference = remittanceReference(command);
  if (amountCents === 0 || booked.includes(reference)) return [];
  const { currency = 'USD' } = purchase;
  const data = { client_id: clientId, reference, paid_on: paidOn, amount_cents: amountCents, currency };
  return [{ type: 'RemittanceMatched', data } as const];
}
