import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditPage } from '#accounts/audit.contract';
import { OrderChanges } from '#orders/order-changes';
import { PaymentSteps } from '#orders/payments/payment-steps';
import type { OrderDetail } from '#orders/order.contract';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { type Answer, codesOf, messagesOf } from '../../../../test/support/callers.js';
import { secondPerson, signIn, type SignedIn } from '../../../../test/support/operators.js';
import { cardBody, wholesaleBody } from '../../../../test/support/purchase-bodies.js';
import type { Refund, RefundList, RefundPreview } from '../refund.contract.js';

// Two tickets with their tax in New York and the courier: 220 + 19.53 + 15.07.
const TOTAL = 254.6;
const SYSTEM = { transaction_id: 'test', actor: 'system:capture' };

let api: TestApi;
let ada: SignedIn;
let purchases = 0;

beforeAll(async () => {
  api = await startTestApi({ REFUND_APPROVAL_FROM: '100' });
  await api.staff.putListing('lst-1', { quantity: 500, seller: 'seller-1' });
  ada = await secondPerson(api, ['operations']);
});
afterAll(() => api.close());

const settle = (id: string) => api.app.get(PaymentSteps).run(id, SYSTEM);
const bought = () => api.payment.bought({ ...cardBody(), ref_id: `refund-${(purchases += 1)}` });
async function captured(): Promise<string> {
  const id = await bought();
  await settle(id);
  return id;
}
type Sender = Pick<SignedIn, 'send'>;
const ask = (id: string, wanted: object, by: Sender = api.staff) =>
  by.send('POST', `orders/${id}/refunds`, { reason: 'customer_request', ...wanted });
const preview = (id: string, query: string) => api.staff.get(`orders/${id}/refunds/preview?${query}`);
const answer = (id: string, refund: Refund, what: 'approve' | 'decline', by: Sender = ada, body?: object) =>
  by.send('POST', `orders/${id}/refunds/${refund.id}/${what}`, body);
const refunds = async (id: string, by: Pick<SignedIn, 'get'> = api.staff) =>
  ((await by.get(`orders/${id}/refunds`)).body as RefundList).refunds;
const refundIn = ({ body }: Answer) => body as Refund;
const payment = async (id: string) => ((await api.staff.get(`orders/${id}`)).body as OrderDetail).payment;

describe('a refund of an amount', () => {
  it('goes back to the card, and changes no status', async () => {
    const id = await captured();
    const asked = await ask(id, { amount: 50.1, note: 'They called twice.' });
    expect(asked.status).toBe(201);
    expect(refundIn(asked)).toMatchObject({
      id: expect.stringMatching(/^rf_/),
      reference: null,
      state: 'pending',
      amount: 50.1,
      currency: 'USD',
      quantity: null,
      note: 'They called twice.',
      origin: 'desk',
      requested_by: 'token:backoffice',
      approved_by: null,
      settled_at: null,
    });
    expect(await payment(id)).toMatchObject({ state: 'captured', pending_refunds: 50.1, refundable: 204.5 });
    await settle(id);
    expect(await refunds(id)).toMatchObject([
      { state: 'succeeded', reference: `sandbox_${refundIn(asked).id}`, settled_at: expect.any(String) },
    ]);
    expect(await payment(id)).toMatchObject({ state: 'part_refunded', refunded: 50.1, refundable: 204.5 });
  });

  it('keeps its note sealed', async () => {
    const id = await captured();
    await ask(id, { amount: 1, note: 'secret words' });
    const { rows } = await api.pool.query<{ data: string }>(
      `select data::text from events where stream = 'order-' || $1 and type = 'RefundRequested'`,
      [id],
    );
    expect(rows[0]?.data).toContain('sealed_note');
    expect(rows[0]?.data).not.toContain('secret words');
  });

  it('is asked for once with one key', async () => {
    const id = await captured();
    const send = () =>
      api.staff.send('POST', `orders/${id}/refunds`, { amount: 1, reason: 'other' }, { 'idempotency-key': id });
    expect(refundIn(await send()).id).toBe(refundIn(await send()).id);
    expect(await refunds(id)).toHaveLength(1);
  });

  it('is in the audit log', async () => {
    const id = await captured();
    const refund = refundIn(await ask(id, { amount: 2 }));
    const { entries } = (await api.staff.get('audit?action=refund.requested&limit=1')).body as AuditPage;
    expect(entries[0]).toMatchObject({ subject: `order:${id}`, detail: { refund: refund.id, amount: 2 } });
  });
});

describe('a refund of tickets', () => {
  it('takes their share of the price, fees and tax, as its preview says', async () => {
    const id = await captured();
    const { body } = await preview(id, 'quantity=1');
    expect(body as RefundPreview).toEqual({
      amount: 119.77,
      currency: 'USD',
      refundable_after: 134.83,
      to: { provider: 'sandbox', type: 'creditcard', brand: 'visa', last_four: '1111' },
      needs_approval: true,
      lines: expect.arrayContaining([{ account: 'seller:seller-1', amount: expect.any(Number) }]),
    });
    expect(refundIn(await ask(id, { quantity: 1 }))).toMatchObject({ amount: 119.77, quantity: 1 });
    expect(refundIn(await ask(id, { quantity: 1, keep_fees: true })).amount).toBeLessThan(119.76);
    expect(codesOf(await ask(id, { quantity: 1 }))).toEqual([40904]);
  });
});

describe('a request', () => {
  it.each<readonly [string, object, string]>([
    ['without amount and quantity', {}, 'amount'],
    ['with both', { amount: 1, quantity: 1 }, 'quantity'],
    ['for nothing', { amount: 0 }, 'amount'],
    ['for a part of a cent', { amount: 0.005 }, 'amount'],
    ['for a text', { amount: '1' }, 'amount'],
    ['for half a ticket', { quantity: 0.5 }, 'quantity'],
    ['with fees kept of an amount', { amount: 1, keep_fees: true }, 'keep_fees'],
    ['with an unknown reason', { amount: 1, reason: 'because' }, 'reason'],
    ['with an unknown field', { amount: 1, nite: 'x' }, 'nite'],
  ])('%s is answered 40001, names the field and leaves nothing behind', async (_, wanted, field) => {
    const id = await captured();
    const refused = await ask(id, wanted);
    expect([refused.status, ...codesOf(refused)]).toEqual([400, 40001]);
    expect(messagesOf(refused)[0]).toContain(field);
    expect(await refunds(id)).toEqual([]);
  });

  it('for more than is left is answered 40904, by the preview too', async () => {
    const id = await captured();
    await ask(id, { amount: 90 });
    const much = TOTAL - 90 + 0.01;
    expect(codesOf(await ask(id, { amount: 164.61 }))).toEqual([40904]);
    expect(codesOf(await preview(id, `amount=${much.toFixed(2)}`))).toEqual([40904]);
    expect(codesOf(await preview(id, `amount=${(TOTAL - 90).toFixed(2)}`))).toEqual([]);
  });

  it('before the capture, or without a payment, is answered 40905', async () => {
    const id = await bought();
    expect(codesOf(await ask(id, { amount: 1 }))).toEqual([40905]);
    expect(codesOf(await preview(id, 'amount=1'))).toEqual([40905]);
    const { product, ...rest } = wholesaleBody();
    const wholesale = await api.wholesale.bought({ ...rest, product, ref_id: 'refund-wholesale' });
    expect(codesOf(await ask(wholesale, { amount: 1 }))).toEqual([40905]);
  });

  it('while the payment is disputed is answered 40906, and so is an approval', async () => {
    const id = await captured();
    const waiting = refundIn(await ask(id, { amount: 150 }));
    const told = { reason: 'fraudulent', amount_cents: 25_460, currency: 'USD', due_at: null, fees: [] };
    const dispute = { ...told, reference: `dp-${id}`, inquiry: false, state: 'open' } as const;
    const disputeId = `dp_${id.slice(4)}`;
    await api.app.get(OrderChanges).apply(id, { type: 'RecordDispute', disputeId, dispute }, SYSTEM);
    expect(codesOf(await ask(id, { amount: 1 }))).toEqual([40906]);
    expect(codesOf(await preview(id, 'amount=1'))).toEqual([40906]);
    expect(codesOf(await answer(id, waiting, 'approve'))).toEqual([40906]);
    expect(codesOf(await answer(id, waiting, 'decline'))).toEqual([]);
  });

  it('for an order that does not exist is answered 40400', async () => {
    expect(codesOf(await ask('ord_none', { amount: 1 }))).toEqual([40400]);
    expect(codesOf(await preview('ord_none', 'amount=1'))).toEqual([40400]);
    expect(codesOf(await api.staff.get('orders/ord_none/refunds'))).toEqual([40400]);
  });
});

describe('an approval', () => {
  it("is needed from the order's refunds together on, and lets the refund go ahead", async () => {
    const id = await captured();
    expect(refundIn(await ask(id, { amount: 99.99 }))).toMatchObject({ state: 'pending' });
    const waiting = refundIn(await ask(id, { amount: 0.01 }));
    expect(waiting.state).toBe('waiting_for_approval');
    const approved = await answer(id, waiting, 'approve', ada, { note: 'Seen.' });
    expect(refundIn(approved)).toMatchObject({ state: 'pending', approved_by: `operator:${ada.id}` });
    await settle(id);
    expect((await refunds(id)).map(({ state }) => state)).toEqual(['succeeded', 'succeeded']);
    expect(codesOf(await answer(id, waiting, 'approve'))).toEqual([40902]);
    expect(codesOf(await answer(id, waiting, 'decline'))).toEqual([40902]);
  });

  it('counts no refund that was declined', async () => {
    const id = await captured();
    const declined = refundIn(await answer(id, refundIn(await ask(id, { amount: 200 })), 'decline'));
    expect(declined).toMatchObject({ state: 'declined', approved_by: null, settled_at: expect.any(String) });
    expect(refundIn(await ask(id, { amount: 99.99 }))).toMatchObject({ state: 'pending' });
  });

  it('is not by who asked, nor by a token', async () => {
    const id = await captured();
    const own = refundIn(await ask(id, { amount: 100 }, ada));
    expect(codesOf(await answer(id, own, 'approve', ada))).toEqual([40300]);
    expect(codesOf(await answer(id, own, 'approve', api.staff))).toEqual([40300]);
    expect(refundIn(await answer(id, own, 'approve', await secondPerson(api, ['operations']))).state).toBe('pending');
  });

  it('of what BACKOFFICE_TOKEN asked is by any operator, also by one whom it has just made', async () => {
    const id = await captured();
    const made = await signIn(api, ['operations']);
    const refund = refundIn(await ask(id, { amount: 100 }));
    expect(refundIn(await answer(id, refund, 'approve', made)).state).toBe('pending');
  });

  it('is always needed by who may not act on money', async () => {
    const id = await captured();
    const support = await signIn(api, ['support']);
    const { body } = await support.get(`orders/${id}/refunds/preview?amount=1`);
    expect((body as RefundPreview).needs_approval).toBe(true);
    const refund = refundIn(await ask(id, { amount: 1 }, support));
    expect(refund.state).toBe('waiting_for_approval');
    expect(codesOf(await answer(id, refund, 'approve', support))).toEqual([40300]);
    expect(refundIn(await answer(id, refund, 'approve')).state).toBe('pending');
  });

  it('does not wait for a refund that does not exist', async () => {
    const id = await captured();
    expect(codesOf(await ada.send('POST', `orders/${id}/refunds/rf_none/approve`))).toEqual([40400]);
  });
});

describe('a broker', () => {
  it('asks for refunds of own orders alone, and reads no notes of colleagues', async () => {
    const id = await captured();
    await ask(id, { amount: 1, note: 'for colleagues' });
    const own = await signIn(api, ['broker'], ['seller-1']);
    const other = await signIn(api, ['broker'], ['seller-2']);
    expect(refundIn(await ask(id, { amount: 1, note: 'mine' }, own))).toMatchObject({ state: 'waiting_for_approval' });
    expect((await refunds(id, own)).map(({ note }) => note)).toEqual([null, 'mine']);
    expect(codesOf(await ask(id, { amount: 1 }, other))).toEqual([40400]);
    expect(codesOf(await other.get(`orders/${id}/refunds`))).toEqual([40400]);
  });
});

describe('a rejected order', () => {
  it('declines the refunds that wait, and refunds what is left, without an approval', async () => {
    const id = await captured();
    await ask(id, { amount: 10 });
    await ask(id, { amount: 150 });
    await api.staff.changeStatus(id, 3001);
    await settle(id);
    expect(await refunds(id)).toMatchObject([
      { amount: 10, state: 'succeeded', origin: 'desk' },
      { amount: 150, state: 'declined' },
      { amount: 244.6, state: 'succeeded', origin: 'order', requested_by: 'system:order' },
    ]);
    expect(await payment(id)).toMatchObject({ state: 'refunded', refundable: 0 });
  });
});

describe('50 refunds at once', () => {
  it('never take more than was captured, by our book and by the provider', async () => {
    const id = await captured();
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(id, { amount: 9.99 }, ada)));
    expect(answers.filter(({ status }) => ![201, 409, 412].includes(status))).toEqual([]);
    // Those that the others overtook too often ask again, until nothing is left.
    let isLeft = true;
    while (isLeft) isLeft = (await ask(id, { amount: 9.99 }, ada)).status === 201;
    const other = await secondPerson(api, ['operations']);
    const waiting = (await refunds(id)).filter(({ state }) => state === 'waiting_for_approval');
    for (const refund of waiting) expect((await answer(id, refund, 'approve', other)).status).toBe(200);
    while ((await payment(id))?.pending_refunds !== 0) await settle(id);
    expect((await refunds(id)).map(({ state }) => state)).toEqual(Array.from({ length: 25 }, () => 'succeeded'));
    expect(await payment(id)).toMatchObject({ state: 'part_refunded', refunded: 249.75, refundable: 4.85 });
    const { rows } = await api.pool.query<{ cents: string; count: number }>(
      'select sum(amount_cents) as cents, count(*) from sandbox_refunds where order_id = $1',
      [id],
    );
    expect(rows).toEqual([{ cents: '24975', count: 25 }]);
  });
});
