import type { SeededRandomness } from '#base/seeded-randomness';
import type { Fulfillment, ReceivedPurchase } from '#domain/order-events';
import type { OrderCommand } from '#domain/order';
import type { PaymentOutcome } from '#domain/payments';
import { nextPaymentStep } from '#domain/payment-steps';
import type { KnownOrder } from '#domain/order-state';
import { isProvided } from '#domain/payment-state';

export type Offer = Readonly<{ listingId: string; eventId: string; version: number }>;

/** A purchase as the use case records it. `number` is in its ref_id. Texts contain characters that COPY and JSON must escape. */
export function randomPurchase(random: SeededRandomness, offer: Offer, number: number): ReceivedPurchase {
  const paid = random.fraction() < 0.6;
  const refId = random.fraction() < 0.9 ? `ref-${number}` : null;
  const odd =
    random.fraction() < 0.1 ? { campaign: 'line\nbreak, tab\t, back\\slash, "quote" and é☃', 7: [null] } : null;
  return {
    client_id: `client-${random.integer(3)}`,
    variant: paid ? 'payment' : 'wholesale',
    product: { event_id: offer.eventId, listing_id: offer.listingId, quantity: 1 + random.integer(4) },
    listing_version: offer.version,
    total_cents: 1_000 + random.integer(100_000),
    delivery_method: paid ? 'ship' : 'download',
    ref_id: refId,
    duplicate_key: refId && `ref:${refId}`,
    trusted: random.fraction() < 0.1,
    hold_for_review: random.fraction() < 0.1,
    confirmation: random.fraction() < 0.5 ? 'manual' : 'automatic',
    confirm_within_minutes: random.fraction() < 0.5 ? 60 : null,
    payment: paid
      ? { type: 'creditcard', brand: 'visa', last_four: '1111', expiry_month: 12, expiry_year: 2039 }
      : null,
    market_specific_fields: odd,
    personal: random.fraction() < 0.8 ? random.bytes(220).toString('base64') : null,
  };
}

/** A command for an order in this state, which may be refused. Undefined if nothing more happens to the order. */
export function randomCommand(random: SeededRandomness, order: KnownOrder): OrderCommand | undefined {
  if (order.payment.is === 'asked') {
    return {
      type: 'RecordPaymentOutcome',
      outcome: randomOutcome(random, order),
      platformWaits: random.fraction() < 0.7,
    };
  }
  if (order.status === null) return undefined;
  const money = random.fraction() < 0.7 ? randomMoney(random, order) : undefined;
  if (money) return money;
  const note = random.fraction() < 0.3 ? { note: 'called the broker\n\\o/' } : {};
  const what = random.fraction();
  if (what < 0.3) return undefined;
  if (what < 0.55) return { type: 'Fulfil', fulfillment: randomFulfillment(random), ...note };
  if (what < 0.65) return { type: 'ErasePersonalData' };
  if (what < 0.7) return { type: 'ExpireConfirmation', expectedVersion: order.version };
  return { type: 'ChangeStatus', statusCode: random.pick(STAFF_CODES), ...note };
}

/** The buyer of a postponed show is asked, or answers. */
export function randomChoice(random: SeededRandomness, { choice }: KnownOrder): OrderCommand {
  const job = `job_${random.integer(3)}`;
  const at = new Date(0).toISOString();
  if (!choice || random.fraction() < 0.3) return { type: 'AskChoice', job, until: DUE, at };
  const refund = { refundId: `rf_${random.integer(1e9)}`, requestedBy: `link:${choice.job}` };
  return { type: 'AnswerChoice', job: choice.job, answer: random.pick(['keep', 'refund'] as const), at, refund };
}

/** What the provider may answer to the step that is due. */
function randomMoney(random: SeededRandomness, order: KnownOrder): OrderCommand | undefined {
  const step = nextPaymentStep(order);
  const refundId = `rf_${random.integer(1e9)}`;
  switch (step?.step) {
    case 'capture': {
      const failed = { is: 'failed', reason: 'The bank said\tno.', gone: random.fraction() < 0.5 } as const;
      const captured = { is: 'captured', amount_cents: order.purchase.total_cents, fee: null } as const;
      return { type: 'RecordCapture', outcome: random.fraction() < 0.1 ? failed : captured, refundId };
    }
    case 'void':
      return { type: 'RecordPaymentRelease' };
    case 'return':
      return { type: 'ReturnPayment', refundId };
    case 'refund':
    case 'refund_outcome': {
      const id = order.refunds.find(({ n }) => n === step.n)?.id ?? '';
      const reference = `re_${id}`;
      const failed = { is: 'failed', reference, reason: 'closed account' } as const;
      const is = step.step === 'refund' ? random.pick(['pending', 'succeeded'] as const) : 'succeeded';
      return { type: 'RecordRefund', refundId: id, result: random.fraction() < 0.1 ? failed : { is, reference } };
    }
    default:
      return undefined;
  }
}

/** What the provider, or staff without a card network, may say of a dispute. Undefined if the order has no payment. */
export function randomDispute(random: SeededRandomness, order: KnownOrder): OrderCommand | undefined {
  const disputeId = `dp_${random.integer(1e9)}`;
  if (!isProvided(order.payment)) return undefined;
  if (random.fraction() < 0.2)
    return { type: 'OpenDispute', disputeId, kind: 'denied_entry', dueAt: DUE, note: '\\o/' };
  const dispute = {
    reference: `du_${order.payment.reference}`,
    inquiry: random.fraction() < 0.3,
    reason: 'fraudulent',
    amount_cents: order.purchase.total_cents,
    currency: 'USD',
    due_at: DUE,
    state: random.pick(['open', 'open', 'sent', 'won', 'lost'] as const),
    fees: [],
  };
  return { type: 'RecordDispute', disputeId, dispute };
}

const DUE = '2026-04-01T00:00:00.000Z';

const STAFF_CODES = [2000, 2001, 2003, 3002, 3004, 4001, 4002, 4004, 4005, 2005];

function randomOutcome(random: SeededRandomness, { purchase }: KnownOrder): PaymentOutcome {
  const provider = 'sandbox';
  const what = random.fraction();
  if (what < 0.6) {
    const reference = `pay_${random.integer(1e9)}`;
    return { is: 'authorised', provider, reference, amount_cents: purchase.total_cents, capture_before: null };
  }
  return { is: random.pick(['declined', 'absent', 'unreachable']), provider, reason: 'The provider said\tso.' };
}

function randomFulfillment(random: SeededRandomness): Fulfillment {
  if (random.fraction() < 0.5) return { type: 'download', data: { url: 'https://tickets.example/1?a=b\\c' } };
  return { type: 'ship', data: { carrier: 'UPS', tracking_number: `1Z${random.integer(1e9)}` } };
}
