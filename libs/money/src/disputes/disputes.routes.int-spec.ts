import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OrderChanges } from '#orders/order-changes';
import type { OrderDetail } from '#orders/order.contract';
import { PaymentSteps } from '#orders/payments/payment-steps';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { type Answer, codesOf, messagesOf } from '../../../../test/support/callers.js';
import { cardBody, wholesaleBody } from '../../../../test/support/purchase-bodies.js';
import type { Dispute, DisputeList } from '../dispute.contract.js';
import { ProviderEventSweep } from '../provider-events/provider-event-sweep.js';
import { ProviderEventWork } from '../provider-events/provider-event-work.js';
import { OrderEvidence } from './order-evidence.js';

const DISPUTED_CARD = '4000000000000259';
const SYSTEM = { transaction_id: 'test', actor: 'system:capture' };
const DAY_MS = 24 * 3_600_000;

let api: TestApi;
let purchases = 0;

beforeAll(async () => {
  api = await startTestApi({ CARD_DATA_IN_FREE_FIELDS: 'refuse' });
  await api.staff.putListing('lst-1', { quantity: 500, seller: 'seller-1' });
});
afterAll(() => api.close());

async function bought(card?: string): Promise<string> {
  const body = cardBody();
  if (card !== undefined) body.payment.data.card_number = card;
  const id = await api.payment.bought({ ...body, ref_id: `dispute-${(purchases += 1)}` });
  await api.app.get(PaymentSteps).run(id, SYSTEM);
  return id;
}

async function hearProvider(): Promise<void> {
  await api.app.get(ProviderEventSweep).run();
  while (await api.app.get(ProviderEventWork).run());
}

const disputes = async (query = '') => ((await api.staff.get(`disputes?${query}`)).body as DisputeList).disputes;
const disputeOf = async (orderId: string) => {
  const found = (await disputes('limit=200')).find(({ order_id: id }) => id === orderId);
  if (!found) throw new Error(`${orderId} has no dispute.`);
  return found;
};
const post = (path: string, body?: object) => api.staff.send('POST', path, body);
const open = (orderId: string, body: object = { kind: 'denied_entry' }) => post(`orders/${orderId}/disputes`, body);
const payment = async (id: string) => ((await api.staff.get(`orders/${id}`)).body as OrderDetail).payment;
const disputeIn = ({ body }: Answer) => body as Dispute;
const dueIn = ({ due_at: due, opened_at: opened }: Dispute) => (Date.parse(due ?? '') - Date.parse(opened)) / DAY_MS;

async function disputed(): Promise<Dispute> {
  const orderId = await bought(DISPUTED_CARD);
  await hearProvider();
  return await disputeOf(orderId);
}

describe('a dispute of a card', () => {
  it('is in the list once its provider tells of it', async () => {
    const dispute = await disputed();
    expect(dispute).toEqual({
      id: expect.stringMatching(/^dp_/),
      reference: `sandbox_dp_${dispute.order_id}`,
      order_id: dispute.order_id,
      provider: 'sandbox',
      kind: 'card',
      state: 'open',
      inquiry: false,
      reason: 'fraudulent',
      amount: 254.6,
      currency: 'USD',
      opened_at: expect.any(String),
      due_at: expect.any(String),
      sent_at: null,
      closed_at: null,
      note: null,
    });
    expect(await payment(dispute.order_id)).toMatchObject({ state: 'disputed', dispute: { id: dispute.id } });
    expect((await api.staff.get(`disputes/${dispute.id}`)).body).toEqual(dispute);
    expect(codesOf(await api.staff.get('disputes/dp_nobody_has'))).toEqual([40400]);
  });

  it('is won by evidence, which is sent once', async () => {
    const { id, order_id: orderId } = await disputed();
    const draft = await post(`disputes/${id}/evidence`, { submit: false, note: 'first try' });
    expect(disputeIn(draft)).toMatchObject({ state: 'open', sent_at: null, note: null });
    const sent = await post(`disputes/${id}/evidence`, { submit: true, note: 'with the address' });
    expect(sent.status).toBe(200);
    expect(disputeIn(sent)).toMatchObject({ state: 'sent', sent_at: expect.any(String), note: 'with the address' });
    expect(codesOf(await post(`disputes/${id}/evidence`, { submit: true }))).toEqual([40908]);
    expect(codesOf(await post(`disputes/${id}/accept`))).toEqual([40908]);
    await hearProvider();
    expect(await disputeOf(orderId)).toMatchObject({ state: 'won', closed_at: expect.any(String) });
    expect(await payment(orderId)).toMatchObject({ state: 'captured', dispute: { state: 'won' } });
  });

  it('is lost once it is accepted, also after its provider has told of it', async () => {
    const { id, order_id: orderId } = await disputed();
    expect(disputeIn(await post(`disputes/${id}/accept`))).toMatchObject({ state: 'lost' });
    await hearProvider();
    expect(await disputeOf(orderId)).toMatchObject({ state: 'lost' });
    expect(await payment(orderId)).toMatchObject({ state: 'charged_back', refundable: 0 });
    expect(codesOf(await post(`disputes/${id}/evidence`, { submit: true }))).toEqual([40908]);
  });

  it('and a refund of the same payment exclude each other', async () => {
    const { id, order_id: orderId } = await disputed();
    const refund = () => post(`orders/${orderId}/refunds`, { amount: 1, reason: 'other' });
    expect(codesOf(await refund())).toEqual([40906]);
    await post(`disputes/${id}/evidence`, { submit: true });
    expect(codesOf(await refund())).toEqual([40906]);
    await hearProvider();
    expect((await refund()).status).toBe(201);
  });

  it('takes no answer after its time, and its bank alone ends it', async () => {
    const orderId = await bought();
    const told = { reason: 'fraudulent', amount_cents: 25_460, currency: 'USD', fees: [], inquiry: false };
    const dispute = { ...told, reference: 'late', state: 'open', due_at: '2020-01-01T00:00:00.000Z' } as const;
    await api.app.get(OrderChanges).apply(orderId, { type: 'RecordDispute', disputeId: 'dp_late', dispute }, SYSTEM);
    expect(codesOf(await post('disputes/dp_late/evidence', { submit: true }))).toEqual([40908]);
    expect(codesOf(await post('disputes/dp_late/accept'))).toEqual([40908]);
    expect(codesOf(await post('disputes/dp_late/close', { state: 'won' }))).toEqual([40908]);
  });

  it('whose note has a card number is refused before its provider hears anything', async () => {
    const { id, order_id: orderId } = await disputed();
    const refused = await post(`disputes/${id}/evidence`, { submit: true, note: 'card 4111 1111 1111 1111' });
    expect([refused.status, ...codesOf(refused)]).toEqual([400, 40001]);
    const { rowCount } = await api.pool.query('select from sandbox_disputes where order_id = $1', [orderId]);
    expect(rowCount).toBe(0);
  });
});

describe('the evidence', () => {
  it('tells what happened, in order of time, and no note of colleagues', async () => {
    const dispute = await disputed();
    await post(`orders/${dispute.order_id}/disputes`, { kind: 'denied_entry', note: 'between us' });
    const { text, ...rest } = await api.app.get(OrderEvidence).of(dispute);
    const told = ['bought 2 tickets for 254.60 USD', 'Albany', '192.0.2.7', 'authorised', 'Status', 'captured'];
    for (const words of told) expect(text).toContain(words);
    expect(text).not.toContain('between us');
    const times = text.split('\n').flatMap((line) => /^\d{4}-\S+/.exec(line) ?? []);
    expect(times).toEqual([...times].sort());
    expect(rest).toMatchObject({ buyerName: 'Ada Lovelace', buyerEmail: 'ada@example.com', deliveredOn: null });
  });
});

describe('a dispute without a card network', () => {
  it.each([
    ['denied_entry', 7],
    ['cancelled_sale', 14],
  ])('%s is due in %i days, and staff end it once', async (kind, days) => {
    const orderId = await bought();
    const opened = await open(orderId, { kind, note: 'gate 4' });
    expect(opened.status).toBe(201);
    const dispute = disputeIn(opened);
    expect(dispute).toMatchObject({
      kind,
      state: 'open',
      reference: null,
      provider: null,
      reason: kind,
      note: 'gate 4',
    });
    expect(dueIn(dispute)).toBeCloseTo(days, 3);
    expect(await payment(orderId)).toMatchObject({ state: 'captured' });
    expect(codesOf(await post(`disputes/${dispute.id}/evidence`, { submit: true }))).toEqual([40908]);
    expect(codesOf(await post(`disputes/${dispute.id}/accept`))).toEqual([40908]);
    const ended = await post(`disputes/${dispute.id}/close`, { state: 'withdrawn', note: 'settled' });
    expect(disputeIn(ended)).toMatchObject({ state: 'withdrawn', note: 'settled', closed_at: expect.any(String) });
    expect(codesOf(await post(`disputes/${dispute.id}/close`, { state: 'won' }))).toEqual([40908]);
  });

  it('is of wholesale orders too, once of each kind', async () => {
    const orderId = await api.wholesale.bought({ ...wholesaleBody(), ref_id: 'dispute-wholesale' });
    expect((await open(orderId)).status).toBe(201);
    expect(codesOf(await open(orderId))).toEqual([40902]);
    expect((await open(orderId, { kind: 'cancelled_sale' })).status).toBe(201);
  });

  it.each<readonly [string, object, string]>([
    ['without a kind', {}, 'kind'],
    ['of a card', { kind: 'card' }, 'kind'],
    ['with an unknown field', { kind: 'denied_entry', nite: 'x' }, 'nite'],
  ])('%s is answered 40001, names the field and leaves nothing behind', async (_, body, field) => {
    const orderId = await bought();
    const refused = await open(orderId, body);
    expect([refused.status, ...codesOf(refused)]).toEqual([400, 40001]);
    expect(messagesOf(refused)[0]).toContain(field);
    expect((await disputes('limit=200')).filter(({ order_id: id }) => id === orderId)).toEqual([]);
  });

  it('that does not exist is answered 40400', async () => {
    expect(codesOf(await open('ord_none'))).toEqual([40400]);
    expect(codesOf(await post('disputes/dp_none/close', { state: 'won' }))).toEqual([40400]);
    expect(codesOf(await post('disputes/dp_none/accept'))).toEqual([40400]);
    expect(codesOf(await post('disputes/dp_none/evidence', { submit: true }))).toEqual([40400]);
  });
});

describe('the list of disputes', () => {
  it('is by due time, in pages, and has those of a state or due before a time', async () => {
    const all = await disputes('limit=200');
    const dues = all.map(({ due_at: due }) => due ?? '9999');
    expect(dues).toEqual([...dues].sort());
    const paged: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: DisputeList = (await api.staff.get(`disputes?limit=2${cursor && `&cursor=${cursor}`}`))
        .body as DisputeList;
      paged.push(...page.disputes.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(paged).toEqual(all.map(({ id }) => id));
    expect(await disputes('state=lost&limit=200')).toEqual(all.filter(({ state }) => state === 'lost'));
    expect((await disputes('due_before=2020-01-02')).map(({ id }) => id)).toEqual(['dp_late']);
    expect(codesOf(await api.staff.get('disputes?cursor=nonsense'))).toEqual([40001]);
    expect(codesOf(await api.staff.get('disputes?state=half'))).toEqual([40001]);
  });
});
