import { CommandBus } from '@nestjs/cqrs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SystemClock } from '#base/clock';
import { OrderEvents } from '../order.contract.js';
import { Sealer } from '#base/sealing';
import { DELIVERY_EVENTS } from '#domain/delivery-events';
import { ORDER_EVENT_TYPES } from '#domain/order-events';
import { FeedLeader } from '#event-store/feed-leader';
import { chainHash, GENESIS, LedgerKey } from '#event-store/hash-chain';
import { ExpireConfirmation } from '../commands/expire-confirmation.handler.js';
import { ExpireReplacement } from '../commands/expire-replacement.handler.js';
import type { OrderCommand } from '#domain/order';
import { OrderChanges } from '../order-changes.js';
import { PaymentSteps } from '../payments/payment-steps.js';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { broken } from '../../../../test/support/broken.js';
import { cardBody } from '../../../../test/support/purchase-bodies.js';
import { temporaryFolder } from '../../../../test/support/temporary-folder.js';
import { attachTickets, linkToTicket, PDF } from '../../../../test/support/orders/ticket-files.js';
import { until } from '../../../../test/support/until.js';

const SYSTEM = { transaction_id: 'sweep', actor: 'system:sweep' };

let api: TestApi;
let leader: FeedLeader;
/** The types of all events that the orders of this spec went through. */
const seen = new Set<string>();

beforeAll(async () => {
  api = await startTestApi({ REVIEW_TOTAL_FROM: '254.60', FILES_DIR: temporaryFolder('files') });
  await api.staff.putListing('lst-1', { quantity: 1_000 });
  await api.staff.putListing('manual', { quantity: 1_000, confirmation: 'manual', confirm_within_minutes: 5 });
  leader = new FeedLeader({
    connection: { connectionString: api.databaseUrl, options: '-c role=willcall_app' },
    clock: new SystemClock(),
    onError: () => undefined,
  });
  leader.start();
});
afterAll(async () => {
  await leader.stop();
  await api.close();
});

const DOWNLOAD = { type: 'download', data: { url: 'https://tickets.example/1' } };
const ship = (tracking_number: string) => ({ type: 'ship', data: { carrier: 'UPS', tracking_number } });

async function eventsOf(id: string): Promise<OrderEvents['events']> {
  const { body } = await api.staff.get(`orders/${id}/events`);
  const { events } = OrderEvents.parse(body);
  for (const { type } of events) seen.add(type);
  return events;
}

const typesOf = async (id: string) => (await eventsOf(id)).map(({ type }) => type);

/** Makes these changes one after the other. Each must succeed. */
async function live(id: string, ...steps: readonly (number | object)[]): Promise<void> {
  for (const step of steps) {
    const [what, body] = typeof step === 'number' ? ['status', { status_code: step }] : ['fulfillment', step];
    const answer = await api.staff.send('POST', `orders/${id}/${what}`, body);
    expect(answer.status, `${JSON.stringify(step)}: ${answer.text}`).toBe(200);
  }
}

const buy = (change: object = {}) => api.payment.bought(broken(cardBody(), { ref_id: undefined, ...change }));
const PAID = ['PurchaseReceived', 'PaymentPrepared', 'PaymentAuthorised'];
const manual = { 'product.listing_id': 'manual', is_trusted_user: true };

describe('the life of an order', () => {
  it('held for review, confirmed, shipped, delivered', async () => {
    const id = await buy();
    await live(id, 2000, 2001, ship('1'), ship('2'), 2003);
    const types = [...PAID, 'OrderHeldForReview', 'OrderConfirmed', 'OrderConfirmed'];
    expect(await typesOf(id)).toEqual([...types, 'TicketsShipped', 'FulfillmentCorrected', 'TicketsShipped']);
    const { body } = await api.payment.read(id);
    expect(body).toMatchObject({
      fulfillment: ship('2'),
      status_history: [1002, 2000, 2001, 2002, 2003].map((status_code) => ({ status_code })),
    });
  });

  it('with a replacement that is offered and accepted, delivered by e-mail, bounced and rejected', async () => {
    const id = await buy({ ...manual });
    await live(id, 4005, 2005, DOWNLOAD, 4003, 3004);
    await api.app.get(PaymentSteps, { strict: false }).run(id, SYSTEM);
    expect(await typesOf(id)).toEqual([
      ...PAID,
      'OrderPending',
      'ReplacementOffered',
      'ReplacementAccepted',
      'TicketsDelivered',
      'OrderExceptionRaised',
      'OrderRejected',
      'PaymentReleased',
    ]);
    const { body } = await api.staff.get(`orders/${id}`);
    expect(body).toMatchObject({ payment: { state: 'voided' }, pings: { length: 6 }, version: 10 });
  });

  it('with a replacement that is offered and rejected', async () => {
    const id = await buy({ is_trusted_user: true });
    await live(id, 4005, 3009);
    expect(await typesOf(id)).toMatchObject({ 4: 'ReplacementOffered', 5: 'ReplacementRejected' });
  });

  it('with other tickets that the buyer does not accept in time', async () => {
    const id = await buy({ is_trusted_user: true });
    const offer = { listing_id: 'manual', expires_in_minutes: 60 };
    expect((await api.staff.send('POST', `orders/${id}/replacement`, offer)).status).toBe(200);
    await api.app.get(CommandBus).execute(new ExpireReplacement(id, 6, SYSTEM));
    expect(await typesOf(id)).toMatchObject({
      4: 'ReplacementProposed',
      5: 'ReplacementOffered',
      6: 'ReplacementLapsed',
    });
  });

  it('with cheaper tickets, whose difference is given back', async () => {
    const id = await buy({ is_trusted_user: true });
    await api.staff.putListing('cheaper', { quantity: 1_000, price: 90 });
    const offer = { listing_id: 'cheaper', expires_in_minutes: 60 };
    expect((await api.staff.send('POST', `orders/${id}/replacement`, offer)).status).toBe(200);
    await live(id, 2005);
    await api.app.get(PaymentSteps, { strict: false }).run(id, SYSTEM);
    expect(await typesOf(id)).toMatchObject({
      6: 'ReplacementAccepted',
      7: 'PaymentPartlyReleased',
      8: 'PaymentCaptured',
    });
  });

  it('that nobody confirmed', async () => {
    const id = await buy(manual);
    await api.app.get(CommandBus).execute(new ExpireConfirmation(id, 4, SYSTEM));
    expect(await typesOf(id)).toMatchObject({ 3: 'OrderPending', 4: 'OrderRejected' });
    expect((await api.payment.read(id)).body).toMatchObject({ status: { status_code: 3005 } });
  });

  it('held by the fraud rules', async () => {
    const rule = { name: 'Two tickets', where: { field: 'quantity', op: '=', value: 2 } };
    expect((await api.staff.send('PUT', 'fraud-rules', { rules: [rule] })).status).toBe(200);
    const id = await buy({ ...manual, is_trusted_user: false });
    expect((await api.staff.send('PUT', 'fraud-rules', { rules: [] })).status).toBe(200);
    expect(await typesOf(id)).toEqual([
      'PurchaseReceived',
      'FraudScreened',
      'PaymentPrepared',
      'PaymentAuthorised',
      'OrderHeldForReview',
    ]);
  });

  it('that came to nothing, or lost its buyer', async () => {
    for (const card_number of ['4000000000000002', '4000000000000119']) {
      await api.payment.buy(broken(cardBody(), { ref_id: card_number, 'payment.data.card_number': card_number }));
      const { body } = await api.staff.get(`orders?stage=all&ref_id=${card_number}`);
      await eventsOf((body as { orders: { id: string }[] }).orders[0]?.id ?? '');
    }
    const id = await buy();
    await api.staff.send('PATCH', `orders/${id}/buyer`, { email: 'right@example.com' });
    expect((await typesOf(id)).at(-1)).toBe('BuyerCorrected');
    await api.staff.send('DELETE', `orders/${id}/personal-data`);
    expect((await typesOf(id)).at(-1)).toBe('PersonalDataErased');
  });

  it('with tickets as files', async () => {
    const id = await buy(manual);
    const [ticket] = (await attachTickets(api, id, [{ name: 'seat-4.pdf', content: PDF }])).tickets;
    expect((await fetch(await linkToTicket(api, id, ticket?.id))).status).toBe(200);
    expect((await api.staff.send('DELETE', `orders/${id}/tickets/${ticket?.id}`)).status).toBe(204);
    expect((await typesOf(id)).slice(4)).toEqual(['TicketsAttached', 'TicketDownloaded', 'TicketRemoved']);
  });

  it('whose money is captured, refunded, disputed and paid by a partner', async () => {
    const id = await buy({ is_trusted_user: true });
    const money = (command: OrderCommand) => api.app.get(OrderChanges, { strict: false }).apply(id, command, SYSTEM);
    const steps = () => api.app.get(PaymentSteps, { strict: false }).run(id, SYSTEM);
    const ask = (refundId: string) => {
      const asked = { amountCents: 1_000, reason: 'goodwill' } as const;
      return money({ type: 'RequestRefund', refundId, asked, requestedBy: 'operator:a', approvalFromCents: 0 });
    };
    await steps();
    await ask('rf_1');
    await money({ type: 'ApproveRefund', refundId: 'rf_1', by: 'operator:b' });
    await money({ type: 'RecordRefund', refundId: 'rf_1', result: { is: 'pending', reference: 're_1' } });
    await money({ type: 'RecordRefund', refundId: 'rf_1', result: { is: 'succeeded', reference: 're_1' } });
    await money({
      type: 'RecordRefund',
      refundId: 'rf_1',
      result: { is: 'failed', reference: 're_1', reason: 'closed' },
    });
    await ask('rf_2');
    await money({ type: 'DeclineRefund', refundId: 'rf_2', by: 'operator:b' });
    const fee = { reference: 'fee_1', amount_cents: 1_500, for: 'dispute' } as const;
    const told = {
      inquiry: false,
      reason: 'fraudulent',
      amount_cents: 25_460,
      currency: 'USD',
      due_at: null,
      fees: [fee],
    };
    await money({ type: 'RecordDispute', disputeId: 'dp_1', dispute: { ...told, reference: 'du_1', state: 'open' } });
    await money({ type: 'SendEvidence', disputeId: 'dp_1', at: new Date().toISOString() });
    await money({ type: 'RecordDispute', disputeId: 'dp_1', dispute: { ...told, reference: 'du_1', state: 'won' } });
    expect((await typesOf(id)).slice(4)).toEqual([
      'PaymentCaptured',
      'RefundRequested',
      'RefundApproved',
      'RefundSent',
      'RefundSucceeded',
      'RefundFailed',
      'RefundRequested',
      'RefundDeclined',
      'DisputeOpened',
      'ProviderFeeCharged',
      'DisputeEvidenceSent',
      'DisputeClosed',
    ]);
    expect((await api.staff.get(`orders/${id}`)).body).toMatchObject({
      payment: { state: 'captured', captured: 254.6, refundable: 254.6, dispute: { id: 'dp_1', state: 'won' } },
    });
  });

  it('whose payment is voided, or cannot be captured', async () => {
    const voided = await buy(manual);
    await live(voided, 3004);
    await api.app.get(PaymentSteps, { strict: false }).run(voided, SYSTEM);
    expect((await typesOf(voided)).at(-1)).toBe('PaymentReleased');
    const failing = await buy({ is_trusted_user: true, 'payment.data.card_number': '4000000000001117' });
    await api.app.get(PaymentSteps, { strict: false }).run(failing, SYSTEM);
    expect((await typesOf(failing)).slice(-2)).toEqual(['CaptureFailed', 'OrderExceptionRaised']);
  });

  // imported-orders.int-spec.ts has these, the reconciliation of a wholesale partner the third one, and libs/fulfilment delivery by seat.
  const ELSEWHERE = [
    'ChoiceAsked',
    'ChoiceMade',
    'OrderImported',
    'PaymentNotConfirmed',
    'RemittanceMatched',
    'SampleRemoved',
    ...Object.keys(DELIVERY_EVENTS),
  ];

  it('covers every type of event', () => {
    expect([...seen, ...ELSEWHERE].toSorted()).toEqual(ORDER_EVENT_TYPES.toSorted());
  });
});

describe('the events of an order', () => {
  it('are those of the log, chained by their hashes, with their places in the feed', async () => {
    const id = await buy();
    await live(id, 2001, ship('1'), 4001);
    const events = await until(async () => {
      const found = await eventsOf(id);
      return found.every(({ global_position }) => global_position !== null) && found;
    });
    expect(events.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const places = events.map(({ global_position }) => global_position ?? 0);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(new Set(places).size).toBe(7);
    expect(events[4]).toMatchObject({
      type: 'OrderConfirmed',
      data: { status: { status: 'confirmed', status_code: 2001 } },
      metadata: { actor: 'token:backoffice', transaction_id: expect.stringMatching(/^req_/) as string },
    });
    // The chain is over the texts as they are stored.
    const { rows } = await api.pool.query<{ data: string; metadata: string }>(
      `select data::text, metadata::text from events where stream = 'order-' || $1 order by position`,
      [id],
    );
    const key = new LedgerKey(api.app.get(Sealer).ledgerSecret);
    let hash: Buffer = GENESIS;
    for (const [index, event] of events.entries()) {
      const { data, metadata } = rows[index] ?? { data: '', metadata: '' };
      hash = chainHash(hash, { ...event, stream: `order-${id}`, data, metadata }, key);
      expect(event.hash).toBe(hash.toString('hex'));
      expect(event.data).toEqual(JSON.parse(data));
    }
  });

  it('are those of an order', async () => {
    expect((await api.staff.get('orders/ord_unknown/events')).status).toBe(404);
  });
});
