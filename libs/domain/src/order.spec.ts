import { readFileSync } from 'node:fs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { DomainError } from './domain-error.js';
import { decide, type OrderCommand } from './order.js';
import type { DecidedEvent, OrderEvent, ReceivedPurchase } from './order-events.js';
import { evolve, type Order } from './order-state.js';
import type { PaymentOutcome } from './payments.js';
import { statusCatalogue, type StatusCatalogueFile } from './status-catalogue.js';

const builtIn = new URL('./status-catalogue.json', import.meta.url);
const file = JSON.parse(readFileSync(builtIn, 'utf8')) as StatusCatalogueFile;
// Like an integration's catalogue, with one more status.
const ofOurOwn = { status_code: 1100, status: 'pending' as const, status_message: 'Asked the broker again' };
const catalogue = statusCatalogue({ ...file, statuses: [...file.statuses, ofOurOwn] });

const wholesale: ReceivedPurchase = {
  client_id: 'acme',
  variant: 'wholesale',
  product: { event_id: '1001', listing_id: 'L1', quantity: 2 },
  listing_version: 1,
  total_cents: 10_000,
  delivery_method: 'download',
  ref_id: 'r1',
  duplicate_key: 'ref:r1',
  trusted: false,
  hold_for_review: false,
  confirmation: 'automatic',
  confirm_within_minutes: null,
  payment: null,
  market_specific_fields: null,
  personal: null,
};
const card = { type: 'creditcard', brand: 'visa', last_four: '1111', expiry_month: 1, expiry_year: 2030 } as const;
const paid: ReceivedPurchase = { ...wholesale, variant: 'payment', payment: card };

const authorised: PaymentOutcome = {
  is: 'authorised',
  provider: 'p',
  reference: 'x1',
  amount_cents: 10_000,
  capture_before: null,
};
const declined: PaymentOutcome = { is: 'declined', provider: 'p', reason: 'no' };
const absent: PaymentOutcome = { is: 'absent', provider: 'p', reason: 'none' };
const heldByQuestion: PaymentOutcome = {
  ...absent,
  held: { reference: 'x1', amount_cents: 10_000, capture_before: null },
};
const unreachable: PaymentOutcome = { is: 'unreachable', provider: 'p', reason: 'silent' };

const NOON = '2026-11-21T12:00:00.000Z';

const ship = { type: 'ship', data: { carrier: 'UPS', tracking_number: '1Z' } } as const;
const download = { type: 'download', data: { url: 'https://tickets.example/1' } } as const;

/** The order after these commands, each of which must be accepted. */
function after(...commands: OrderCommand[]): { order: Order; events: OrderEvent[] } {
  let order: Order = { known: false };
  const events: OrderEvent[] = [];
  for (const command of commands) {
    const decided = decide(command, order, catalogue);
    if (decided instanceof DomainError) throw decided;
    events.push(...decided);
    order = decided.reduce<Order>((before, event) => evolve(before, { ...event, recorded_at: NOON }), order);
  }
  return { order, events };
}

/** The result of the last command: `type` or `type code` of each event, or the code of the error. */
function follows(...commands: OrderCommand[]): string[] | string {
  const last = commands.pop() as OrderCommand;
  const decided = decide(last, after(...commands).order, catalogue);
  if (decided instanceof DomainError) return decided.code;
  return (decided as readonly OrderEvent[]).map((event) =>
    'status' in event.data ? `${event.type} ${event.data.status.status_code}` : event.type,
  );
}

const receive = (purchase: Partial<ReceivedPurchase> = {}): OrderCommand => ({
  type: 'ReceivePurchase',
  purchase: { ...wholesale, ...purchase },
});
const pay = (outcome: PaymentOutcome, platformWaits = true): OrderCommand => ({
  type: 'RecordPaymentOutcome',
  outcome,
  platformWaits,
});
const status = (statusCode: number, expectedVersion?: number): OrderCommand => ({
  type: 'ChangeStatus',
  statusCode,
  ...(expectedVersion !== undefined && { expectedVersion }),
});
const fulfil = (fulfillment: typeof ship | typeof download): OrderCommand => ({ type: 'Fulfil', fulfillment });

describe('a wholesale purchase', () => {
  it.each([
    [{}, 'OrderConfirmed 2000'],
    [{ confirmation: 'manual' }, 'OrderPending 1001'],
    [{ hold_for_review: true }, 'OrderHeldForReview 1002'],
    [{ hold_for_review: true, confirmation: 'manual' }, 'OrderHeldForReview 1002'],
    [{ hold_for_review: true, trusted: true }, 'OrderConfirmed 2000'],
  ] as const)('%j opens with %s', (purchase, opening) => {
    expect(follows(receive(purchase))).toEqual(['PurchaseReceived', opening]);
  });

  it('is received once', () => {
    expect(follows(receive(), receive())).toBe('ORDER_EXISTS');
  });
});

describe('a purchase that a policy and the fraud rules have looked at', () => {
  const accept = { id: 'pol_1', name: 'Small', action: 'accept' } as const;
  const deny = { id: 'pol_2', name: 'Wrong price', action: 'deny', reason: 'price_error' } as const;
  const manual = { confirmation: 'manual' } as const;

  it.each([
    [{ ...manual, policy: accept }, ['OrderPending 1001', 'OrderConfirmed 2000']],
    [{ ...manual, policy: deny }, ['OrderPending 1001', 'OrderRejected 3004']],
    [{ ...manual, policy: { ...deny, reason: 'fraud' } }, ['OrderPending 1001', 'OrderRejected 3002']],
    [{ ...manual, product: { ...wholesale.product, speculative: true }, policy: accept }, ['OrderPending 1001']],
    // Nobody waits for a broker.
    [{ policy: deny }, ['OrderConfirmed 2000']],
    [{ ...manual, policy: accept, hold_for_review: true }, ['OrderHeldForReview 1002']],
  ] as const)('%j opens with %s', (purchase, opening) => {
    expect(follows(receive(purchase))).toEqual(['PurchaseReceived', ...opening]);
    const received = receive({ ...paid, ...purchase });
    expect(follows(received, pay(authorised))).toEqual(['PaymentAuthorised', ...opening]);
  });

  it('says which policy answered, and why', () => {
    const { events, order } = after(receive({ ...paid, ...manual, policy: deny }), pay(authorised));
    const { id, name } = deny;
    expect(events.at(-1)).toMatchObject({
      data: { policy: { id, name }, reason: 'price_error', note: 'Policy: Wrong price' },
    });
    expect(order).toMatchObject({ tickets: { held: 0 }, deadline: null });
  });

  it('waits for its broker if the catalogue has no status for the denial', () => {
    const without = statusCatalogue({
      ...file,
      statuses: file.statuses.filter(({ status_code: code }) => code !== 3004),
    });
    const decided = decide(receive({ ...manual, policy: deny }), { known: false }, without);
    expect(decided).toMatchObject([{ type: 'PurchaseReceived' }, { type: 'OrderPending' }]);
  });

  it('has the verdict in its log before its first status', () => {
    const screening = { verdict: 'held', score: 100, rules: [], facts: { first_order: true } } as const;
    const command: OrderCommand = {
      type: 'ReceivePurchase',
      purchase: { ...wholesale, hold_for_review: true },
      screening,
    };
    expect(follows(command)).toEqual(['PurchaseReceived', 'FraudScreened', 'OrderHeldForReview 1002']);
    expect(after(command).order).toMatchObject({ version: 3, status: { status_code: 1002 } });
  });
});

describe('a review', () => {
  const approve = (change: object = {}): OrderCommand => ({ type: 'ApproveReview', ...change });
  const held = { hold_for_review: true } as const;
  const manual = { ...held, confirmation: 'manual', confirm_within_minutes: 30 } as const;
  const policy = { id: 'pol_1', name: 'Small', action: 'accept' } as const;

  it.each([
    [held, ['OrderConfirmed 2000']],
    [manual, ['OrderPending 1001']],
    [{ ...manual, policy }, ['OrderPending 1001', 'OrderConfirmed 2000']],
  ] as const)('of %j that is approved lets the order go on as if it had not been held', (purchase, opening) => {
    expect(follows(receive(purchase), approve())).toEqual(opening);
    expect(follows(receive({ ...paid, ...purchase }), pay(authorised), approve())).toEqual(opening);
  });

  it('that is approved starts the time of the broker', () => {
    const { order } = after(receive(manual), approve({ note: 'Known buyer.' }));
    const at = order.known ? order.updatedAt : '';
    const due = new Date(Date.parse(at) + 30 * 60_000).toISOString();
    expect(order).toMatchObject({ deadline: { for: 'confirmation', at: due } });
  });

  it('can be approved once, and only while it lasts', () => {
    expect(follows(receive(manual), approve(), approve())).toEqual([]);
    expect(follows(receive(manual), approve(), { type: 'Accept', at: '2026-01-01T00:00:00.000Z' }, approve())).toBe(
      'TRANSITION_NOT_ALLOWED',
    );
    expect(follows(receive(manual), approve({ expectedVersion: 1 }))).toBe('VERSION_STALE');
  });
});

describe('a purchase that a fraud rule rejects', () => {
  const screening = { verdict: 'rejected', score: 100, rules: [], facts: {} } as const;
  const rejected = (change: object): OrderCommand => ({
    type: 'ReceivePurchase',
    purchase: { ...wholesale, hold_for_review: true, ...change },
    screening,
  });

  it('ends at once, without a payment, and gives its tickets back', () => {
    expect(follows(rejected({}))).toEqual(['PurchaseReceived', 'FraudScreened', 'OrderRejected 3001']);
    expect(follows(rejected(paid))).toEqual([
      'PurchaseReceived',
      'FraudScreened',
      'PaymentFailed',
      'OrderRejected 3001',
    ]);
    expect(after(rejected(paid)).order).toMatchObject({ tickets: { held: 0 }, deadline: null, stage: 'placed' });
  });

  it('is held if the catalogue has no such status, and passes for a trusted user', () => {
    const statuses = file.statuses.filter(({ status_code: code }) => code !== 3001);
    const decided = decide(rejected({}), { known: false }, statusCatalogue({ ...file, statuses }));
    expect(decided).toMatchObject([{}, {}, { type: 'OrderHeldForReview' }]);
    expect(follows(rejected({ trusted: true }))).toContain('OrderConfirmed 2000');
  });
});

describe('a purchase with payment', () => {
  const received = receive(paid);

  it('has no status until the provider has answered', () => {
    expect(follows(received)).toEqual(['PurchaseReceived']);
    expect(follows(received, status(2000))).toBe('TRANSITION_NOT_ALLOWED');
  });

  it('gets its first status when it is authorised', () => {
    expect(follows(received, pay(authorised))).toEqual(['PaymentAuthorised', 'OrderConfirmed 2000']);
    expect(follows(receive({ ...paid, confirmation: 'manual' }), pay(authorised))).toEqual([
      'PaymentAuthorised',
      'OrderPending 1001',
    ]);
  });

  it('gets no status when it is declined while the platform waits', () => {
    expect(follows(received, pay(declined))).toEqual(['PaymentDeclined']);
  });

  it.each([
    ['declined', declined, ['PaymentDeclined', 'OrderRejected 3006']],
    ['absent', absent, ['PaymentFailed', 'OrderRejected 3006']],
    ['absent until it asked', heldByQuestion, ['PaymentAuthorised', 'OrderRejected 3006']],
    ['unreachable', unreachable, ['OrderExceptionRaised 4006']],
    ['authorised', authorised, ['PaymentAuthorised', 'OrderConfirmed 2000']],
  ])('gets a status when the completer finds %s', (_, outcome, events) => {
    expect(follows(received, pay(outcome, false))).toEqual(events);
  });

  it('raises one exception however often the provider is silent, and continues once it answers', () => {
    const silent = pay(unreachable, false);
    expect(follows(received, silent, silent)).toEqual([]);
    expect(follows(received, silent, pay(authorised, false))).toEqual(['PaymentAuthorised', 'OrderConfirmed 2000']);
    expect(follows(received, silent, pay(absent, false))).toEqual(['PaymentFailed', 'OrderRejected 3006']);
  });

  it('does not move an order from an exception to pending', () => {
    const manual = receive({ ...paid, confirmation: 'manual' });
    expect(follows(manual, pay(unreachable, false), pay(authorised, false))).toEqual(['PaymentAuthorised']);
  });

  it('keeps the decision of staff while the provider was silent', () => {
    const silent = pay(unreachable, false);
    const late = pay(authorised, false);
    expect(follows(received, silent, status(2000), late)).toEqual(['PaymentAuthorised']);
    expect(follows(received, silent, fulfil(download), late)).toEqual(['PaymentAuthorised']);
    expect(follows(received, silent, status(4001), late)).toEqual(['PaymentAuthorised']);
    expect(follows(received, silent, status(3004), late)).toEqual(['PaymentAuthorised']);
  });

  it('records only the first answer of the provider', () => {
    expect(follows(received, pay(authorised), pay(absent, false))).toEqual([]);
    expect(follows(received, pay(authorised), pay(heldByQuestion, false))).toEqual([]);
    expect(follows(received, pay(heldByQuestion, false), pay(authorised))).toEqual([]);
    expect(follows(received, pay(declined), pay(authorised, false))).toEqual([]);
  });

  it('is released once', () => {
    const release: OrderCommand = { type: 'RecordPaymentRelease' };
    expect(follows(received, pay(authorised), status(3004), release)).toEqual(['PaymentReleased']);
    expect(follows(received, pay(authorised), status(3004), release, release)).toEqual([]);
    expect(follows(receive(), release)).toEqual([]);
  });
});

describe('staff', () => {
  it.each([
    [[receive({ confirmation: 'manual' }), status(2000)], ['OrderConfirmed 2000']],
    [[receive({ confirmation: 'manual' }), status(1002)], ['OrderHeldForReview 1002']],
    [[receive(), status(2000)], []],
    [[receive(), status(2001)], ['OrderConfirmed 2001']],
    [[receive(), status(4005)], ['ReplacementOffered 4005']],
    [[receive(), status(4005), status(2005)], ['ReplacementAccepted 2005']],
    [[receive(), status(4005), status(3009)], ['ReplacementRejected 3009']],
    [[receive(), status(3004)], ['OrderRejected 3004']],
    [[receive(), status(2003)], ['TicketsShipped 2003']],
    [[receive(), status(1001)], 'TRANSITION_NOT_ALLOWED'],
    [[receive(), status(4001), status(1001)], 'TRANSITION_NOT_ALLOWED'],
    [[receive(), status(3004), status(2000)], 'TRANSITION_NOT_ALLOWED'],
    [[receive(), status(3004), status(3005)], 'TRANSITION_NOT_ALLOWED'],
    [[receive(), status(9999)], 'STATUS_CODE_UNKNOWN'],
    [[receive(), status(2001, 1)], 'VERSION_STALE'],
    [[receive(), status(2001, 2)], ['OrderConfirmed 2001']],
  ] as const)('%#: after %j follows %j', (commands, expected) => {
    expect(follows(...commands)).toEqual(expected);
  });

  it('cannot change an unknown order', () => {
    expect(follows(status(2000))).toBe('ORDER_UNKNOWN');
  });

  it('ship and deliver, which changes the status', () => {
    expect(follows(receive(), fulfil(ship))).toEqual(['TicketsShipped 2002']);
    expect(follows(receive(), fulfil(download))).toEqual(['TicketsDelivered 2004']);
    expect(after(receive(), fulfil(ship)).order).toMatchObject({ fulfillment: ship, version: 3 });
  });

  it('record the same fulfillment once, and a corrected one without a new status', () => {
    expect(follows(receive(), fulfil(ship), fulfil(ship))).toEqual([]);
    const other = { type: 'ship', data: { carrier: 'FedEx', tracking_number: '99' } } as const;
    const corrected: OrderCommand = { type: 'Fulfil', fulfillment: other };
    expect(follows(receive(), fulfil(ship), corrected)).toEqual(['FulfillmentCorrected']);
    expect(after(receive(), fulfil(ship), corrected).order).toMatchObject({ fulfillment: other });
  });

  it('cannot fulfil a rejected order', () => {
    expect(follows(receive(), status(3004), fulfil(ship))).toBe('TRANSITION_NOT_ALLOWED');
  });

  it('erase personal data once, if there is any', () => {
    const erase: OrderCommand = { type: 'ErasePersonalData' };
    expect(follows(receive(), erase)).toBe('NO_PERSONAL_DATA');
    expect(follows(receive({ personal: 'c2VhbGVk' }), erase)).toEqual(['PersonalDataErased']);
    expect(follows(receive({ personal: 'c2VhbGVk' }), erase, erase)).toEqual([]);
  });

  it('erase notes, also of an order without a buyer and after an earlier erasure', () => {
    const note = {
      type: 'OrderExceptionRaised',
      data: { status: { status: 'exception', status_message: 'm', status_code: 4006 }, sealed_note: 'x' },
    };
    const noted = (order: Order) =>
      evolve(order, { ...note, recorded_at: '2026-11-22T12:00:00.000Z' } as Parameters<typeof evolve>[1]);
    const erase = (order: Order) => decide({ type: 'ErasePersonalData' }, order, catalogue);
    const bare = noted(after(receive()).order);
    expect(erase(bare)).toEqual([{ type: 'PersonalDataErased', data: {} }]);
    const erased = evolve(bare, { type: 'PersonalDataErased', data: {}, recorded_at: '2026-11-22T12:00:01.000Z' });
    expect(erase(erased)).toEqual([]);
    expect(erase(noted(erased))).toEqual([{ type: 'PersonalDataErased', data: {} }]);
    const offer = {
      type: 'ReplacementProposed',
      data: { terms: null, sealed_terms: 'x' },
      recorded_at: '2026-11-22T12:00:00.000Z',
    };
    const offered = evolve(after(receive()).order, offer as Parameters<typeof evolve>[1]);
    expect(erase(offered)).toEqual([{ type: 'PersonalDataErased', data: {} }]);
  });
});

describe('a cancelled event', () => {
  const cancelled: OrderCommand = { type: 'CancelEvent' };

  it.each([
    ['ends an order that waits', [receive({ confirmation: 'manual' })], ['OrderRejected 3007']],
    ['ends a confirmed order', [receive()], ['OrderRejected 3007']],
    ['ends an order with a problem', [receive(), status(4006)], ['OrderRejected 3007']],
    ['raises an exception if the tickets were sent', [receive(), fulfil(ship)], ['OrderExceptionRaised 4007']],
    ['raises none twice', [receive(), fulfil(download), cancelled], []],
    ['leaves an order that has ended', [receive(), status(3010)], []],
    ['cannot decide a purchase whose payment is under way', [receive(paid)], 'TRANSITION_NOT_ALLOWED'],
  ] as const)('%s', (_, before, expected) => {
    expect(follows(...before, cancelled)).toEqual(expected);
  });
});

describe('the confirmation deadline', () => {
  const expire = (expectedVersion: number): OrderCommand => ({ type: 'ExpireConfirmation', expectedVersion });

  it('rejects an order that still waits', () => {
    expect(follows(receive({ confirmation: 'manual' }), expire(2))).toEqual(['OrderRejected 3005']);
  });

  it('rejects an order that waits in a pending status of the integration', () => {
    expect(follows(receive({ confirmation: 'manual' }), status(1100), expire(3))).toEqual(['OrderRejected 3005']);
  });

  it('does not apply to a review', () => {
    expect(follows(receive({ confirmation: 'manual', hold_for_review: true }), expire(2))).toEqual([]);
    expect(follows(receive({ confirmation: 'manual' }), status(1002), expire(3))).toEqual([]);
  });

  it('does nothing if the order has changed', () => {
    expect(follows(receive({ confirmation: 'manual' }), expire(1))).toEqual([]);
    expect(follows(receive({ confirmation: 'manual' }), status(2000), expire(3))).toEqual([]);
  });
});

it('some command causes each event type', () => {
  type Decided = Exclude<ReturnType<typeof decide>, DomainError>[number];
  // Does not compile if `decide` never returns a type.
  expectTypeOf<Decided['type']>().toEqualTypeOf<DecidedEvent['type']>();
});
