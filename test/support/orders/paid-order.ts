import { readFileSync } from 'node:fs';
import { DomainError } from '#domain/domain-error';
import { decide, type OrderCommand } from '#domain/order';
import type { OrderEvent, ProposedTickets, ReceivedPurchase } from '#domain/order-events';
import { evolve, type KnownOrder, type Order } from '#domain/order-state';
import type { RefundAsked, RefundResult } from '#domain/refunds';
import type { ProviderDispute } from '#domain/disputes';
import { statusCatalogue, type StatusCatalogueFile } from '#domain/status-catalogue';
import { PURCHASE } from './received-purchase.js';

const file = readFileSync(new URL('../../../libs/domain/src/status-catalogue.json', import.meta.url), 'utf8');
export const CATALOGUE = statusCatalogue(JSON.parse(file) as StatusCatalogueFile);

/** Four tickets of 25.00 for a buyer with a card: 100.00 and 8.00 fees, 4.00 tax, 3.00 delivery. */
export const PAID: ReceivedPurchase = {
  ...PURCHASE,
  product: { event_id: '1', listing_id: 'L1', quantity: 4 },
  total_cents: 11_500,
  parts: { price_cents: 10_000, fees_cents: 800, tax_cents: 400, delivery_cents: 300 },
  currency: 'USD',
  capture: 'confirmation',
  confirmation: 'automatic',
  seller: 'Front Row',
};
const NOON = Date.parse('2026-11-26T12:00:00.000Z');
export const HELD_UNTIL = '2026-12-03T12:00:00.000Z';

/** When the nth command of a life was given. The first one is 1. */
export const minute = (n: number) => new Date(NOON + n * 60_000).toISOString();

export const receive = (purchase: Partial<ReceivedPurchase> = {}): OrderCommand => {
  return { type: 'ReceivePurchase', purchase: { ...PAID, ...purchase } };
};
export const prepare: OrderCommand = { type: 'RecordPreparedPayment', provider: 'p', reference: 'pay', key: null };
export const authorise = (capture_before: string | null = HELD_UNTIL): OrderCommand => {
  const outcome = { is: 'authorised', provider: 'p', reference: 'pay', amount_cents: 11_500, capture_before } as const;
  return { type: 'RecordPaymentOutcome', outcome, platformWaits: true };
};
export const capture = (amount_cents = 11_500, refundId = 'excess'): OrderCommand => {
  return { type: 'RecordCapture', outcome: { is: 'captured', amount_cents, fee: null }, refundId };
};
export const captureFailed = (gone: boolean): OrderCommand => {
  return { type: 'RecordCapture', outcome: { is: 'failed', reason: 'no', gone }, refundId: 'none' };
};
export const release: OrderCommand = { type: 'RecordPaymentRelease' };
export const status = (statusCode: number): OrderCommand => ({ type: 'ChangeStatus', statusCode });
export const reject = status(3004);

/** An order whose payment is held, and one whose payment was taken. */
export const HELD = [receive(), authorise()] as const;
export const CAPTURED = [...HELD, capture()] as const;

/** Other tickets for so much, with the offer and the buyer's answer. The difference to 115.00 is that of the price. */
export const replace = (
  total_cents: number,
  listing_id = 'L2',
  change: Partial<ProposedTickets> = {},
): readonly OrderCommand[] => {
  const tickets = { event_id: '1', listing_id, listing_version: 1, quantity: 4, seller: 'Balcony', terms: null };
  const parts = { price_cents: total_cents - 1_500, fees_cents: 800, tax_cents: 400, delivery_cents: 300 };
  return [
    { type: 'ProposeReplacement', tickets: { ...tickets, expires_at: '2026-12-01T12:00:00.000Z', ...change }, parts },
    { type: 'AcceptReplacement', at: minute(0) },
  ];
};

/** `from`: the amount in cents from which on a second person is needed. */
export const ask = (
  refundId: string,
  asked: Omit<Extract<RefundAsked, { amountCents: number }>, 'reason'> | Readonly<{ quantity: number }>,
  { from = 1_000_000, reason = 'other', keepFees = false }: Partial<AskingFor> = {},
): OrderCommand => {
  const what = 'quantity' in asked ? { ...asked, keepFees, reason } : { ...asked, reason };
  return { type: 'RequestRefund', refundId, asked: what, requestedBy: 'operator:ann', approvalFromCents: from };
};
type AskingFor = Readonly<{ from: number; reason: RefundAsked['reason']; keepFees: boolean }>;
export const approve = (refundId: string, by = 'operator:bob'): OrderCommand => {
  return { type: 'ApproveRefund', refundId, by };
};
export const decline = (refundId: string): OrderCommand => ({ type: 'DeclineRefund', refundId, by: 'operator:bob' });
export const refunded = (refundId: string, result?: RefundResult): OrderCommand => {
  return { type: 'RecordRefund', refundId, result: result ?? { is: 'succeeded', reference: `re_${refundId}` } };
};
export const sent = (refundId: string) => refunded(refundId, { is: 'pending', reference: `re_${refundId}` });
export const refundFailed = (refundId: string, reference: string | null = `re_${refundId}`) => {
  return refunded(refundId, { is: 'failed', reference, reason: 'account closed' });
};
export const returnPayment = (refundId: string): OrderCommand => ({ type: 'ReturnPayment', refundId });

/** A dispute as the provider tells of it: all of the payment, unless the change says otherwise. */
export const dispute = (change: Partial<ProviderDispute> = {}, disputeId = 'd1'): OrderCommand => {
  const told = {
    reference: 'du',
    inquiry: false,
    reason: 'fraudulent',
    amount_cents: 11_500,
    currency: 'USD',
  } as const;
  const due_at = '2026-12-05T12:00:00.000Z';
  return { type: 'RecordDispute', disputeId, dispute: { ...told, due_at, state: 'open', fees: [], ...change } };
};

/**
 * The order after these commands, one minute apart, and what the last one gave: `type` or `type code` of each event, or the code of the
 * refusal. An earlier refusal throws.
 */
export function life(...commands: readonly OrderCommand[]): Readonly<{
  order: KnownOrder;
  gave: string | readonly string[];
  events: readonly OrderEvent[];
}> {
  let order: Order = { known: false };
  let events: readonly OrderEvent[] = [];
  let refused: DomainError | undefined;
  for (const [index, command] of commands.entries()) {
    if (refused) throw refused;
    const decided = decide(command, order, CATALOGUE);
    if (decided instanceof DomainError) refused = decided;
    events = decided instanceof DomainError ? [] : decided;
    const recorded_at = minute(index + 1);
    order = events.reduce<Order>((before, event) => evolve(before, { ...event, recorded_at }), order);
  }
  if (!order.known) throw new Error('A life begins with a purchase.');
  return { order, gave: refused?.code ?? events.map(named), events };
}

function named(event: OrderEvent): string {
  return 'status' in event.data ? `${event.type} ${event.data.status.status_code}` : event.type;
}
