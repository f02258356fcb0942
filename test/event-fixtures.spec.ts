import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SystemRandomness } from '#base/randomness';
import { ORDER_EVENT_TYPES, type OrderEvent } from '#domain/order-events';
import type { KnownOrder } from '#domain/order-state';
import type { RecordedEvent } from '#event-store/event';
import { duePingsProjection } from '#outbound/due-pings.projection';
import { Sealer } from '#base/sealing';
import type { OrderRow } from '#orders/order-row';
import { openedNote } from '#orders/event-notes';
import { ordersProjection } from '#orders/orders.projection';
import { type StatusHistoryRow, statusHistoryProjection } from '#orders/status-history.projection';
import { eventFixtures } from '#orders/event-fixtures';
import { capturedLives, took } from './support/orders/captured-lives.js';
import type { EventFiles } from './support/orders/event-files.js';
import { orderAppend, orderOf } from './support/orders/order-append.js';

/**
 * Old events must stay readable for ever. Never change these files or what this test expects of them; only add new ones. To change the
 * form of an event, add a new type.
 */
const fixtures = eventFixtures();

const orderRow = (events: readonly RecordedEvent<OrderEvent>[]) =>
  ordersProjection.rows(orderAppend(events))[0] as OrderRow;

/** In an imported order each event comes one later. */
function stream(...types: readonly OrderEvent['type'][]): RecordedEvent<OrderEvent>[] {
  const shift = types[0] === 'OrderImported' ? 1 : 0;
  return types.map((type, index) => {
    const [event, position] = [fixtures.get(type), index + 1];
    if (event?.position !== position && event?.position !== position - shift) {
      throw new Error(`${type} is not event ${position} of an order`);
    }
    return { ...event, position };
  });
}

const start = ['PurchaseReceived', 'PaymentAuthorised', 'OrderHeldForReview'] as const;
const sent = [...start, 'OrderPending', 'OrderConfirmed', 'TicketsShipped'] as const;
const replaced = [...sent, 'FulfillmentCorrected', 'OrderExceptionRaised', 'ReplacementOffered'] as const;
const proposed = [...sent, 'FulfillmentCorrected', 'OrderExceptionRaised', 'ReplacementProposed'] as const;
const whole = [...replaced, 'ReplacementAccepted', 'TicketsDelivered', 'PersonalDataErased'] as const;

/** The orders that today's code makes of the events. Every event type occurs here or in the lives with a capture. */
const lifecycles = [
  [
    'asked for the money',
    ['PurchaseReceived'],
    { stage: 'awaiting_payment', status_code: null, stock_held: 2, due_for: 'payment_outcome' },
    { status: null, payment: { is: 'asked' } },
  ],
  [
    'screened',
    ['PurchaseReceived', 'FraudScreened'],
    { version: 2, stage: 'awaiting_payment', status_code: null, stock_held: 2, due_for: 'payment_outcome' },
    { status: null, payment: { is: 'asked' } },
  ],
  [
    'declined',
    ['PurchaseReceived', 'PaymentDeclined'],
    { stage: 'declined', status_code: null, stock_held: 0, due_for: null },
    {
      status: null,
      payment: { is: 'not_taken', how: 'declined', provider: 'sandbox', reason: 'declined by the sandbox' },
    },
  ],
  [
    'not paid',
    ['PurchaseReceived', 'PaymentFailed'],
    { stage: 'failed', status_code: null, stock_held: 0, due_for: null },
    {
      status: null,
      payment: {
        is: 'not_taken',
        how: 'failed',
        provider: 'sandbox',
        reason: 'The payment provider knows of no such payment.',
      },
    },
  ],
  [
    'waiting for the broker',
    [...start, 'OrderPending'],
    {
      stage: 'placed',
      status_code: 1001,
      stock_held: 2,
      due_for: 'confirmation',
      due_at: '2026-11-20T19:20:45.107Z',
    },
    { status: { status: 'pending', status_message: 'Pending confirmation', status_code: 1001 } },
  ],
  [
    'rejected',
    [...start, 'OrderRejected'],
    { stage: 'placed', status: 'rejected', status_code: 3002, stock_held: 0, due_for: null, payment_step: 'return' },
    { status: { status: 'rejected', status_message: 'Fraud - manual review', status_code: 3002 } },
  ],
  [
    'rejected and paid back',
    [...start, 'OrderRejected', 'PaymentReleased'],
    { status_code: 3002, stock_held: 0, due_for: null, payment_step: null },
    {
      payment: {
        ...took,
        is: 'released',
        released_how: 'voided',
      },
    },
  ],
  [
    'imported, rejected here, with a payment that the provider does not confirm',
    ['OrderImported', ...start, 'OrderRejected', 'PaymentNotConfirmed'],
    {
      version: 6,
      status_code: 3002,
      stock_held: 0,
      due_for: null,
      payment_step: null,
      transaction_id: 'a7c1f3de-6f0b-4d5e-9a3c-1be0c7d4f852',
    },
    {
      importedThrough: 5,
      payment: {
        ...took,
        claim: 'not_confirmed',
      },
    },
  ],
  [
    'shipped, with the right number',
    [...sent, 'FulfillmentCorrected'],
    { version: 7, status_code: 2002 },
    { fulfillment: { type: 'ship', data: { carrier: 'UPS', tracking_number: '1Z999AA10123456792' } } },
  ],
  [
    'shipped, with the right buyer',
    [...sent, 'BuyerCorrected'],
    { version: 7, status_code: 2002 },
    { personalDataErased: false },
  ],
  [
    'shipped, with tickets as files that went out by a link and were taken back',
    [...sent, 'TicketsAttached', 'TicketDownloaded', 'TicketRemoved'],
    { version: 9, status_code: 2002 },
    { ticketFiles: { ids: [], handedOut: ['tkt_01a1e7030d5a7c1e9b2f4a6c8e0d1357'] }, hasSealedNotes: true },
  ],
  [
    'sent to the buyer’s account, accepted in part and declined in part',
    [...sent, 'TransferSent', 'TransferAccepted', 'TransferDeclined'],
    { version: 9, status_code: 2002, queue: 'exceptions', next_action: 'retransfer', acts: 'seller' },
    { next: { action: 'retransfer', acts: 'seller', queue: 'exceptions', since: '2026-11-21T10:26:40.318Z' } },
  ],
  [
    'sent to the buyer’s account with a proof, and expired',
    [...sent, 'TransferSent', 'TransferProofAdded', 'TransferExpired'],
    { version: 9, status_code: 2002 },
    { hasSealedNotes: true, fulfillment: null },
  ],
  [
    'refused at the door, and let in with another barcode',
    [...sent, 'BarcodesGiven', 'BarcodeRefused', 'BarcodeReplaced'],
    { version: 9, status_code: 2002 },
    { hasSealedNotes: true },
  ],
  [
    'a parcel with a label of ours',
    [...start, 'OrderPending', 'OrderConfirmed', 'LabelPrinted', 'ParcelPickedUp'],
    { version: 7, status_code: 2000, queue: 'to_ship', next_action: 'enter_tracking', acts: 'seller' },
    { next: { action: 'enter_tracking', acts: 'seller', queue: 'to_ship', since: null } },
  ],
  [
    'of a postponed show, whose buyer keeps the tickets',
    [...start, 'OrderPending', 'OrderConfirmed', 'ChoiceAsked', 'ChoiceMade'],
    { version: 7, status_code: 2000, choice_until: '2026-12-05T18:00:00.000Z', choice_answer: 'keep' },
    { choice: { job: 'job_01a1f2a4b0c17d2e8f3a4b5c6d7e8f90', until: '2026-12-05T18:00:00.000Z', answer: 'keep' } },
  ],
  [
    'a sample that was removed',
    ['PurchaseReceived', 'SampleRemoved'],
    undefined,
    { removed: true, tickets: { held: 0, sent: false } },
  ],
  [
    'lost in the end, with tickets that were sent out',
    [...replaced, 'ReplacementRejected'],
    { status: 'rejected', status_code: 3009, stock_held: 2, due_for: null, payment_step: 'return' },
    { version: 10 },
  ],
  [
    'offered other tickets, which are set aside',
    [...proposed],
    {
      version: 9,
      stock_held: 2,
      other_tickets: [{ listing_id: 'demo-any-1', quantity: 2 }],
      due_for: 'replacement',
      due_at: '2026-11-23T18:52:50.338Z',
    },
    { replacement: { ...fixtures.get('ReplacementProposed')?.data, state: 'open' } as never },
  ],
  [
    'offered other tickets that nobody took',
    [...proposed, 'ReplacementLapsed'],
    { version: 10, stock_held: 2, other_tickets: null, due_for: null },
    { version: 10 },
  ],
  [
    'replaced, with a part of the payment given back',
    [...proposed, 'ReplacementAccepted', 'PaymentPartlyReleased'],
    { version: 11, status_code: 2005, has_refund: false, due_for: null },
    {
      payment: {
        ...took,
        captured_cents: 25840,
        returned_cents: 2000,
      },
    },
  ],
  [
    'replaced',
    whole,
    { version: 12, status: 'confirmed', status_code: 2004, stock_held: 2, personal: null, due_for: null },
    {
      version: 12,
      personalDataErased: true,
      fulfillment: { type: 'download', data: { url: 'https://tickets.example/d/8f3a61' } },
    },
  ],
] as const satisfies readonly (readonly [
  string,
  readonly OrderEvent['type'][],
  Partial<OrderRow> | undefined,
  Partial<KnownOrder>,
])[];

type NameOf<Path extends string> = Path extends `${string}/${infer Name}` ? Name : Path;

/** A call compiles only when no type of event is missing. */
function coversEveryEvent<Types extends string>(
  ..._missing: [Exclude<OrderEvent['type'], Types>] extends [never] ? [] : [Exclude<OrderEvent['type'], Types>]
): void {}

coversEveryEvent<keyof EventFiles>();
coversEveryEvent<(typeof lifecycles)[number][1][number] | NameOf<(typeof capturedLives)[number][1][number]>>();

describe('the fixtures of events', () => {
  it('exist for each type, under its name', () => {
    expect([...fixtures.keys()].sort()).toEqual(ORDER_EVENT_TYPES.toSorted());
    for (const [name, event] of fixtures) {
      expect(event.type).toBe(name);
    }
    expect(new Set([...fixtures.values()].map(({ event_id }) => event_id)).size).toBe(fixtures.size);
  });

  it.each(lifecycles)('are read as an order that is %s', (_what, types, row, order) => {
    const events = stream(...types);
    if (row) expect(orderRow(events)).toMatchObject(row);
    else expect(orderRow(events)).toBeUndefined();
    expect(orderOf(events)).toMatchObject({ known: true, version: types.length, ...order });
  });

  it.each(capturedLives)('are read as an order that is %s', (_what, files, payment_step, payment, order) => {
    const events = files.map((file) => readFixture(file));
    expect(events.map(({ position }) => position)).toEqual(files.map((_file, index) => index + 1));
    expect(orderRow(events)).toMatchObject({ payment_step, summary: { payment } });
    expect(orderOf(events)).toMatchObject({ known: true, version: files.length, ...order });
  });
});

describe('the whole life', () => {
  const events = stream(...whole);
  const announced = [1002, 1001, 2000, 2002, 4004, 4005, 2005, 2004];

  it('makes the Purchase that the platform reads', () => {
    const { purchase, summary, ...row } = orderRow(events);
    expect(row).toMatchObject({
      id: 'ord_01a1e3b0c2f47a51b7d09c4e6a8f1d23',
      client_id: 'acme-tickets',
      variant: 'payment',
      event_id: '1003',
      listing_id: 'demo-manual-1',
      quantity: 2,
      total_cents: 27840,
      ref_id: '58120094',
      transaction_id: 'a7c1f3de-6f0b-4d5e-9a3c-1be0c7d4f852',
      placed_at: '2026-11-20T18:04:11.482Z',
    });
    expect(purchase).toEqual({
      id: 'ord_01a1e3b0c2f47a51b7d09c4e6a8f1d23',
      status: { status: 'confirmed', status_message: 'Tickets fulfilled - email', status_code: 2004 },
      product: { event_id: '1003', listing_id: 'demo-manual-1', quantity: 2 },
      delivery_method: { type: 'ship', data: {} },
      fulfillment: { type: 'download', data: { url: 'https://tickets.example/d/8f3a61' } },
      ref_id: '58120094',
      status_history: expect.any(Array) as unknown[],
    });
    expect(purchase.status_history.map(({ status_code }) => status_code)).toEqual(announced);
    expect(purchase.status_history.at(0)?.created_at).toBe('2026-11-20T18:04:12.031Z');
    expect(summary).toEqual({
      payment: {
        type: 'creditcard',
        brand: 'visa',
        last_four: '1111',
        expiry_month: 12,
        expiry_year: 2028,
        state: 'authorised',
        provider: 'sandbox',
        reason: null,
        reference: 'sandbox_ord_01a1e3b0c2f47a51b7d09c4e6a8f1d23',
      },
      trusted: false,
      personal_data: 'erased',
    });
  });

  it('has a history entry and a ping for each status', () => {
    const entries = statusHistoryProjection.rows(orderAppend(events)) as StatusHistoryRow[];
    expect(entries.map(({ status_code }) => status_code)).toEqual(announced);
    expect(entries[4]).toMatchObject({ sequence: 5, actor: 'staff:administrator', note: null });
    expect(duePingsProjection.rows(orderAppend(events))).toMatchObject(
      announced.map((status_code) => ({ status_code })),
    );
  });

  it('has what people wrote in clear until it was erased', () => {
    const before = events.slice(0, -1);
    const entries = statusHistoryProjection.rows(orderAppend(before)) as StatusHistoryRow[];
    expect(entries[4]).toMatchObject({ note: 'The parcel came back.' });
    expect(orderRow(before).purchase.market_specific_fields).toEqual({ campaign: 'autumn' });
  });

  it('has a buyer that the keys of that time can decrypt', () => {
    const sealer = new Sealer(Buffer.alloc(32, 7), new SystemRandomness());
    const personal = orderRow(stream('PurchaseReceived')).personal ?? '';
    const sealed = Buffer.from(personal.slice(2), 'hex');
    expect(sealer.openPersonal('ord_01a1e3b0c2f47a51b7d09c4e6a8f1d23', Buffer.alloc(32, 9), sealed)).toMatchObject({
      user: { email: 'ada@example.com' },
      delivery: { city: 'Albany', zip: '12207' },
      billing: { address1: '12 Main St' },
    });
  });
});

function readFixture(name: string): RecordedEvent<OrderEvent> {
  const file = new URL(`./fixtures/${name}.json`, import.meta.resolve('#domain/order-events'));
  return JSON.parse(readFileSync(file, 'utf8')) as RecordedEvent<OrderEvent>;
}

describe('an offer of cheaper tickets', () => {
  const offered = [...stream(...proposed).slice(0, -1), readFixture('priced/ReplacementProposed')];
  const accepted = [...offered, ...stream(...proposed, 'ReplacementAccepted').slice(-1)];

  it('lowers the total with its acceptance, and the difference is due', () => {
    expect(orderRow(offered)).toMatchObject({ total_cents: 27840, due_for: 'replacement' });
    expect(orderRow(accepted)).toMatchObject({
      total_cents: 25840,
      payment_step: 'return',
      summary: { payment: { state: 'authorised', return_due_cents: 2000 } },
    });
    expect(orderOf(accepted)).toMatchObject({ differenceDue: { position: 10, cents: 2000 } });
  });

  it('is settled by the part that went back', () => {
    const settled = [...accepted, fixtures.get('PaymentPartlyReleased')!];
    expect(orderRow(settled)).toMatchObject({ total_cents: 25840, payment_step: null });
    expect(orderRow(settled).summary.payment).toMatchObject({ state: 'authorised', returned_cents: 2000 });
    expect(orderOf(settled)).toMatchObject({ differenceDue: null });
  });
});

describe('events whose free fields are sealed', () => {
  const read = (name: string) => readFixture(`sealed/${name}`);
  const id = 'ord_01a1e3b0c2f47a51b7d09c4e6a8f1d23';
  const key = Buffer.alloc(32, 9);
  const sealer = new Sealer(Buffer.alloc(32, 7), new SystemRandomness());
  const [received, rejected, corrected] = ['PurchaseReceived', 'OrderRejected', 'FulfillmentCorrected'].map(read);

  it('give rows without what is sealed, and open with the keys of that time', () => {
    const events = [received!, ...stream(...start).slice(1), rejected!];
    const row = orderRow(events);
    expect(row).toMatchObject({ sealed_market_fields: true, summary: { card_data_in_ref_id: true } });
    expect(row.purchase.market_specific_fields).toBeUndefined();
    const personal = sealer.openPersonal(id, key, Buffer.from((row.personal ?? '').slice(2), 'hex'));
    expect(personal).toMatchObject({ market_specific_fields: { campaign: 'autumn' } });
    const [, history] = statusHistoryProjection.rows(orderAppend(events)) as StatusHistoryRow[];
    expect(history?.note).toBeNull();
    expect(history && openedNote(sealer, id, key, history)).toBe('The cardholder does not know of the purchase.');
    expect(orderOf(events)).toMatchObject({ hasSealedNotes: true });
  });

  it('bind each note to its event', () => {
    const { position, data } = corrected!;
    const note = { note: null, sealed_note: 'sealed_note' in data ? data.sealed_note : '' };
    expect(openedNote(sealer, id, key, { position, ...note })).not.toBeNull();
    expect(openedNote(sealer, id, key, { position: position + 1, ...note })).toBeNull();
  });
});
