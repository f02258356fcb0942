import { describe, expect, it } from 'vitest';
import type { OrderEvent, ReceivedPurchase } from './order-events.js';
import { evolveAll, type KnownOrder } from './order-state.js';
import type { RequestedRefund } from './payment-events.js';
import type { Status } from './status.js';

const NOON = '2026-11-21T12:00:00.000Z';
const PARTS = { price_cents: 10_000, fees_cents: 1_500, delivery_cents: 500, tax_cents: 800 };
const TOTAL = 12_800;

const SOLD: ReceivedPurchase = {
  client_id: 'market',
  variant: 'payment',
  product: { event_id: '1001', listing_id: 'L1', quantity: 2 },
  listing_version: 1,
  total_cents: TOTAL,
  parts: PARTS,
  currency: 'EUR',
  capture: 'confirmation',
  delivery_method: 'download',
  ref_id: null,
  duplicate_key: null,
  trusted: false,
  hold_for_review: false,
  confirmation: 'manual',
  confirm_within_minutes: null,
  payment: { type: 'creditcard', brand: 'visa', last_four: '1111', expiry_month: 1, expiry_year: 2030 },
  market_specific_fields: null,
  seller: 'acme',
  personal: null,
};
const { seller: ____, ...HOUSE } = SOLD;
/** As versions before captures recorded it. */
const { parts: _, currency: __, capture: ___, ...LEGACY } = SOLD;
const WHOLESALE: ReceivedPurchase = { ...LEGACY, variant: 'wholesale', payment: null, total_cents: 9_000 };

const status = (code: number, of: Status['status']): { status: Status } => {
  return { status: { status_code: code, status: of, status_message: '' } };
};
const of = { provider: 'stripe', reference: 'pi_1' };
const euros = (amount_cents: number) => ({ amount_cents, currency: 'EUR' });

const received = (purchase: ReceivedPurchase): OrderEvent => ({ type: 'PurchaseReceived', data: purchase });
const authorised: OrderEvent = { type: 'PaymentAuthorised', data: { ...of, ...euros(TOTAL) } };
/** Without a currency: the money was taken at once. */
const taken: OrderEvent = { type: 'PaymentAuthorised', data: { ...of, amount_cents: TOTAL } };
const confirmed: OrderEvent = { type: 'OrderConfirmed', data: status(2000, 'confirmed') };
const shipped: OrderEvent = { type: 'TicketsShipped', data: status(2002, 'confirmed') };
const rejected: OrderEvent = { type: 'OrderRejected', data: status(3002, 'rejected') };
const capturedOf = (cents: number): OrderEvent => ({ type: 'PaymentCaptured', data: { ...of, ...euros(cents) } });
const captured = capturedOf(TOTAL);

const offered = (change: object): OrderEvent => ({
  type: 'ReplacementProposed',
  data: {
    event_id: '1001',
    listing_id: 'L2',
    listing_version: 1,
    quantity: 2,
    terms: null,
    expires_at: NOON,
    ...change,
  },
});
const accepted: OrderEvent = { type: 'ReplacementAccepted', data: status(2005, 'confirmed') };

const asked = (change: Partial<RequestedRefund> & Pick<RequestedRefund, 'lines'>): OrderEvent => ({
  type: 'RefundRequested',
  data: {
    refund_id: 'rf_1',
    ...euros(change.lines.reduce((sum, { amount_cents }) => sum + amount_cents, 0)),
    quantity: null,
    reason: 'other',
    origin: 'desk',
    requested_by: 'operator:opr_1',
    needs_approval: false,
    ...change,
  },
});
const OF_SELLER_AND_FEES = [
  { account: 'seller:acme', amount_cents: 2_000 },
  { account: 'fees', amount_cents: 300 },
];
const refundOfAll = asked({ origin: 'order', lines: [{ account: 'buyer', amount_cents: TOTAL }] });
const refunded: OrderEvent = { type: 'RefundSucceeded', data: { refund_id: 'rf_1', reference: 're_1' } };
const refundFailed: OrderEvent = {
  type: 'RefundFailed',
  data: { refund_id: 'rf_1', reference: 're_1', reason: 'closed account' },
};

const disputed = (change: object = {}): OrderEvent => ({
  type: 'DisputeOpened',
  data: {
    dispute_id: 'dp_1',
    reference: 'du_1',
    kind: 'card',
    inquiry: false,
    reason: 'fraudulent',
    due_at: null,
    ...euros(TOTAL),
    ...change,
  },
});
const closed = (state: 'won' | 'lost' | 'withdrawn'): OrderEvent => ({
  type: 'DisputeClosed',
  data: { dispute_id: 'dp_1', state },
});
const fee = (cents: number): OrderEvent => ({
  type: 'ProviderFeeCharged',
  data: { ...of, ...euros(cents), for: 'charge' },
});
const remitted = (cents: number): OrderEvent => ({
  type: 'RemittanceMatched',
  data: { ...euros(cents), client_id: 'market', reference: 'line 1', paid_on: '2026-11-20' },
});

const sold = [received(SOLD), authorised, confirmed];
const paid = [...sold, captured];
const wholesale = [received(WHOLESALE), confirmed];

type Entries = Readonly<Record<string, number>>;

/** What each event posts, by account. */
function posted(events: readonly OrderEvent[]): Entries[] {
  const each: Entries[] = [];
  const recorded = events.map((event) => ({ ...event, recorded_at: NOON }));
  evolveAll({ known: false }, recorded, ({ books }) => {
    each.push(Object.fromEntries(books.entries.map(({ account, amount_cents: cents }) => [account, cents])));
  });
  return each;
}

function balances(events: readonly OrderEvent[]): Entries {
  const order = evolveAll(
    { known: false },
    events.map((event) => ({ ...event, recorded_at: NOON })),
  ) as KnownOrder;
  return Object.fromEntries(Object.entries(order.books.balances).filter(([, cents]) => cents !== 0));
}

const SALE = { buyer: TOTAL, 'seller:acme': -10_000, fees: -1_500, delivery: -500, tax: -800 };

describe('the postings of the contract', () => {
  it.each<[string, readonly OrderEvent[], OrderEvent, Entries]>([
    ['nothing, when a purchase comes in', [], received(SOLD), {}],
    ['nothing, when money is held', [received(SOLD)], authorised, {}],
    ['the sale, at the first confirmed status', [received(SOLD), authorised], confirmed, SALE],
    ['nothing, at a later confirmed status', sold, shipped, {}],
    [
      'the house’s own sale, without a seller',
      [received(HOUSE), authorised],
      confirmed,
      { buyer: TOTAL, 'seller:house': -10_000, fees: -1_500, delivery: -500, tax: -800 },
    ],
    ['a wholesale sale', [received(WHOLESALE)], confirmed, { 'client:market': 9_000, 'seller:acme': -9_000 }],
    ['a capture', sold, captured, { 'provider:stripe': TOTAL, buyer: -TOTAL }],
    ['a capture after a rejection', [...sold, rejected], captured, { 'provider:stripe': TOTAL, buyer: -TOTAL }],
    [
      'a replacement with another seller that is dearer',
      [...paid, offered({ seller: 'other', difference_cents: 1_000, parts: { ...PARTS, price_cents: 11_000 } })],
      accepted,
      { 'seller:acme': 10_000, 'seller:other': -11_000, losses: 1_000 },
    ],
    [
      'a replacement that is cheaper',
      [...paid, offered({ seller: 'acme', difference_cents: -1_000, parts: { ...PARTS, price_cents: 9_000 } })],
      accepted,
      { buyer: -1_000, 'seller:acme': 1_000 },
    ],
    [
      'a replacement for a wholesale client, whose total stays',
      [...wholesale, offered({ seller: 'other' })],
      accepted,
      { 'seller:acme': 9_000, 'seller:other': -9_000 },
    ],
    [
      'a replacement that is the first confirmed status',
      [received(SOLD), authorised, offered({ seller: 'other', difference_cents: 0, parts: PARTS })],
      accepted,
      { buyer: TOTAL, 'seller:other': -10_000, fees: -1_500, delivery: -500, tax: -800 },
    ],
    [
      'a replacement after a refund, which the earlier seller still bears',
      [
        ...paid,
        asked({ lines: OF_SELLER_AND_FEES }),
        refunded,
        offered({ seller: 'other', difference_cents: 0, parts: PARTS }),
      ],
      accepted,
      { 'seller:acme': 10_000, 'seller:other': -10_000 },
    ],
    [
      'a rejection before the capture',
      sold,
      rejected,
      { buyer: -TOTAL, 'seller:acme': 10_000, fees: 1_500, delivery: 500, tax: 800 },
    ],
    [
      'a rejection after the capture: the buyer is owed the money',
      paid,
      rejected,
      { buyer: -TOTAL, 'seller:acme': 10_000, fees: 1_500, delivery: 500, tax: 800 },
    ],
    [
      'a rejection after a refund and a replacement: nobody of the sale is owed anything',
      [
        ...paid,
        asked({ lines: OF_SELLER_AND_FEES }),
        refunded,
        offered({ seller: 'other', difference_cents: 0, parts: PARTS }),
        accepted,
      ],
      rejected,
      { buyer: -10_500, 'seller:acme': -2_000, 'seller:other': 10_000, fees: 1_200, delivery: 500, tax: 800 },
    ],
    ['nothing, at a rejection before any confirmed status', [received(SOLD), authorised], rejected, {}],
    [
      'a rejection after a refund: what is left of the sale',
      [...paid, asked({ lines: OF_SELLER_AND_FEES }), refunded],
      rejected,
      { buyer: -10_500, 'seller:acme': 8_000, fees: 1_200, delivery: 500, tax: 800 },
    ],
    [
      'a rejection after goodwill, which is no loss any more',
      [...paid, asked({ reason: 'goodwill', lines: [{ account: 'losses', amount_cents: 1_000 }] }), refunded],
      rejected,
      { buyer: -11_800, 'seller:acme': 10_000, fees: 1_500, delivery: 500, tax: 800, losses: -1_000 },
    ],
    [
      'a rejection after a lost dispute',
      [...paid, disputed(), closed('lost')],
      rejected,
      { 'seller:acme': 10_000, fees: 1_500, delivery: 500, tax: 800, losses: -TOTAL },
    ],
    ['a rejected wholesale order', wholesale, rejected, { 'client:market': -9_000, 'seller:acme': 9_000 }],
    [
      'a refund by the desk',
      [...paid, asked({ lines: OF_SELLER_AND_FEES })],
      refunded,
      { 'provider:stripe': -2_300, 'seller:acme': 2_000, fees: 300 },
    ],
    [
      'a refund made at the provider',
      [...paid, asked({ origin: 'provider', lines: OF_SELLER_AND_FEES })],
      refunded,
      { 'provider:stripe': -2_300, 'seller:acme': 2_000, fees: 300 },
    ],
    [
      'a refund that the rejection made',
      [...paid, rejected, refundOfAll],
      refunded,
      { 'provider:stripe': -TOTAL, buyer: TOTAL },
    ],
    [
      'a refund of the desk that succeeds after the rejection',
      [...paid, asked({ lines: OF_SELLER_AND_FEES }), rejected],
      refunded,
      { 'provider:stripe': -2_300, buyer: 2_300 },
    ],
    [
      'an open refund after a replacement, at the expense of the new seller',
      [
        ...paid,
        asked({ lines: OF_SELLER_AND_FEES }),
        offered({ seller: 'other', difference_cents: 0, parts: PARTS }),
        accepted,
      ],
      refunded,
      { 'provider:stripe': -2_300, 'seller:other': 2_000, fees: 300 },
    ],
    ['nothing, when a refund fails at once', [...paid, asked({ lines: OF_SELLER_AND_FEES })], refundFailed, {}],
    [
      'a refund that fails after it succeeded',
      [...paid, asked({ lines: OF_SELLER_AND_FEES }), refunded],
      refundFailed,
      { 'provider:stripe': 2_300, 'seller:acme': -2_000, fees: -300 },
    ],
    [
      'a refund that fails after it succeeded, once the order is rejected',
      [...paid, asked({ lines: OF_SELLER_AND_FEES }), refunded, rejected],
      refundFailed,
      { 'provider:stripe': 2_300, buyer: -2_300 },
    ],
    [
      'a refund that fails after the seller was replaced',
      [
        ...paid,
        asked({ lines: OF_SELLER_AND_FEES }),
        refunded,
        offered({ seller: 'other', difference_cents: 0, parts: PARTS }),
        accepted,
      ],
      refundFailed,
      { 'provider:stripe': 2_300, 'seller:acme': -2_000, fees: -300 },
    ],
    ['a dispute', paid, disputed(), { 'provider:stripe': -TOTAL, disputes: TOTAL }],
    ['nothing, for an inquiry', paid, disputed({ inquiry: true }), {}],
    [
      'an inquiry that becomes a dispute',
      [...paid, disputed({ inquiry: true })],
      disputed(),
      { 'provider:stripe': -TOTAL, disputes: TOTAL },
    ],
    ['nothing, for a dispute without a card network', paid, disputed({ kind: 'denied_entry' }), {}],
    ['nothing, at the end of one', [...paid, disputed({ kind: 'denied_entry' })], closed('lost'), {}],
    ['a won dispute', [...paid, disputed()], closed('won'), { 'provider:stripe': TOTAL, disputes: -TOTAL }],
    ['a withdrawn dispute', [...paid, disputed()], closed('withdrawn'), { 'provider:stripe': TOTAL, disputes: -TOTAL }],
    ['a lost dispute', [...paid, disputed()], closed('lost'), { disputes: -TOTAL, losses: TOTAL }],
    [
      'a lost dispute of an order that was rejected before',
      [...paid, rejected, disputed()],
      closed('lost'),
      { disputes: -TOTAL, buyer: TOTAL },
    ],
    ['a fee', paid, fee(401), { provider_fees: 401, 'provider:stripe': -401 }],
    ['a fee that is given back', [...paid, fee(401)], fee(-401), { provider_fees: -401, 'provider:stripe': 401 }],
    ['a remittance', wholesale, remitted(9_000), { bank: 9_000, 'client:market': -9_000 }],
    ['a remittance that was paid back', wholesale, remitted(-9_000), { bank: -9_000, 'client:market': 9_000 }],
  ])('are right for %s', (_what, past, event, expected) => {
    expect(posted([...past, event]).at(-1)).toEqual(expected);
  });
});

describe('orders of versions before captures', () => {
  const sale = { buyer: TOTAL, 'seller:acme': -TOTAL };

  it.each<[string, readonly OrderEvent[], OrderEvent, Entries]>([
    [
      'the payment is taken when it is authorised',
      [received(LEGACY)],
      taken,
      { 'provider:stripe': TOTAL, buyer: -TOTAL },
    ],
    ['the whole total is the seller’s', [received(LEGACY), taken], confirmed, sale],
    [
      'a rejection turns the sale round, and the buyer is owed the money',
      [received(LEGACY), taken, confirmed],
      rejected,
      { buyer: -TOTAL, 'seller:acme': TOTAL },
    ],
    [
      'a release gives it back',
      [received(LEGACY), taken, confirmed, rejected],
      { type: 'PaymentReleased', data: { ...of, how: 'refunded' } },
      { buyer: TOTAL, 'provider:stripe': -TOTAL },
    ],
    [
      'cheaper tickets are the seller’s too',
      [received(LEGACY), taken, confirmed, offered({ difference_cents: -800 })],
      accepted,
      { buyer: -800, 'seller:acme': 800 },
    ],
    [
      'the difference is given back',
      [received(LEGACY), taken, confirmed, offered({ difference_cents: -800 }), accepted],
      { type: 'PaymentPartlyReleased', data: { ...of, how: 'refunded', amount_cents: 800, part_reference: 're_1' } },
      { buyer: 800, 'provider:stripe': -800 },
    ],
    ['a declined payment moves nothing', [received(LEGACY)], declined(), {}],
  ])('%s', (_what, past, event, expected) => {
    expect(posted([...past, event]).at(-1)).toEqual(expected);
  });

  it('end with nothing owed, however their money went back', () => {
    const released: OrderEvent = { type: 'PaymentReleased', data: { ...of, how: 'voided' } };
    const part = (how: 'voided' | 'refunded'): OrderEvent => ({
      type: 'PaymentPartlyReleased',
      data: { ...of, how, amount_cents: 800, part_reference: 're_1' },
    });
    const cheaper = [received(LEGACY), taken, confirmed, offered({ difference_cents: -800 }), accepted];
    expect(balances([received(LEGACY), taken, rejected, released])).toEqual({});
    expect(balances([...cheaper, part('refunded'), rejected, released])).toEqual({});
    expect(balances([...cheaper, part('voided'), rejected, released])).toEqual({});
    expect(balances([...cheaper, part('voided')])).toEqual({ 'provider:stripe': 12_000, 'seller:acme': -12_000 });
  });
});

it('a hold of which less is taken for cheaper tickets leaves nothing owed by the buyer', () => {
  const cheaper = offered({ seller: 'acme', difference_cents: -1_000, parts: { ...PARTS, price_cents: 9_000 } });
  const less: OrderEvent = {
    type: 'PaymentPartlyReleased',
    data: { ...of, how: 'voided', amount_cents: 1_000, part_reference: 'pi_1' },
  };
  const { 'provider:stripe': provider, buyer = 0 } = balances([...sold, cheaper, accepted, less, capturedOf(11_800)]);
  expect({ provider, buyer }).toEqual({ provider: 11_800, buyer: 0 });
});

function declined(): OrderEvent {
  return { type: 'PaymentDeclined', data: { provider: 'stripe', reason: 'no' } };
}
