import { dollarsOf } from '#domain/money';
import { remittanceReference } from '#domain/remittances';

/** A payment in the file: the same day and amount so many `times`. */
type PaidLine = Readonly<{ paid_on: string; amount_cents: number; times: number }>;

/** An order that a file is about. `state`: its status, or what it is without one. `recorded`: payments of any file. */
export type PaidOrder = Readonly<{
  order_id: string;
  ref_id: string | null;
  state: string;
  is_sold: boolean;
  total_cents: number;
  placed_at: Date;
  lines: readonly PaidLine[];
  recorded: readonly Readonly<{ reference: string; amount_cents: number }>[];
}>;

type Side = number | string | null;
type Found = Readonly<{ kind: 'state' | 'amount' | 'twice'; ours: Side; theirs: Side }>;

/**
 * What differs of an order. Lines of one order are added up, with those of earlier files. A line that is there twice counts once. Amounts in
 * the result have decimals.
 */
export function differencesOf(clientId: string, order: PaidOrder): readonly Found[] {
  const twice = order.lines
    .filter(({ times }) => times > 1)
    .map(({ amount_cents: cents, times }): Found => {
      return { kind: 'twice', ours: dollarsOf(cents), theirs: dollarsOf(cents * times) };
    });
  const paid = paidCents(clientId, order);
  if (!order.is_sold || order.state === 'rejected') {
    const agrees = order.state === 'rejected' && paid === 0;
    return agrees ? twice : [...twice, { kind: 'state', ours: order.state, theirs: 'paid' }];
  }
  if (paid === order.total_cents) return twice;
  return [...twice, { kind: 'amount', ours: dollarsOf(order.total_cents), theirs: dollarsOf(paid) }];
}

function paidCents(clientId: string, { lines, recorded }: PaidOrder): number {
  const paid = new Map(recorded.map(({ reference, amount_cents: cents }) => [reference, cents]));
  for (const { paid_on: paidOn, amount_cents: amountCents } of lines) {
    paid.set(remittanceReference({ clientId, paidOn, amountCents }), amountCents);
  }
  return [...paid.values()].reduce((sum, cents) => sum + cents, 0);
}
