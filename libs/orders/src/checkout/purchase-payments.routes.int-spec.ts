import { CommandBus } from '@nestjs/cqrs';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { MethodRefused, ProviderUnavailable } from '#payments/payment-provider';
import { PaymentProviders } from '#payments/payment-providers';
import { CompletePayment } from '../commands/complete-payment.handler.js';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { broken, type Json } from '../../../../test/support/broken.js';
import { type Answer, codesOf, messagesOf } from '../../../../test/support/callers.js';
import { cardBody, tokenBody, wholesaleBody } from '../../../../test/support/purchase-bodies.js';
import { changedTables, tableState } from '../../../../test/support/postgres/table-state.js';

const DECLINED = { 'payment.data.card_number': '4000000000000002' };
const FAILING = { 'payment.data.card_number': '4000000000000119' };

let api: TestApi;
let before: Record<string, string>;

beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1', { quantity: 100 });
});
beforeEach(async () => (before = await tableState(api.pool)));
afterAll(() => api.close());

const buy = (change: Json, body: object = cardBody()): Promise<Answer> => api.payment.buy(broken(body, change));

async function changed(): Promise<string[]> {
  return changedTables(before, await tableState(api.pool)).map((name) => name.replace('public.', ''));
}

/** The only order with that reference, as staff see it. */
async function orderOf(refId: string): Promise<Record<string, unknown>> {
  const { body } = await api.staff.get(`orders?stage=all&sort=placed_at.desc&limit=1&ref_id=${refId}`);
  const [{ id } = { id: '' }] = (body as { orders: { id: string }[] }).orders;
  return (await api.staff.get(`orders/${id}`)).body as Record<string, unknown>;
}

describe('a declined payment', () => {
  it.each([
    ['card', cardBody(), DECLINED],
    ['token', tokenBody(), { 'payment.data.token': 'tok_declined' }],
    ['token of the other provider', tokenBody('providerb_token'), { 'payment.data.token': 'tok_declined' }],
  ])('by %s is rejected with 40016 and leaves an attempt that only support sees', async (_what, body, change) => {
    const available = await api.staff.available('lst-1');
    const answer = await buy({ ref_id: 'attempt', ...change }, body);
    expect(answer.status).toBe(400);
    expect(codesOf(answer)).toEqual([40016]);
    expect(messagesOf(answer)).toEqual(['Payment declined: payment']);
    const left = ['events', 'orders', 'outbox', 'personal_data_keys', 'sandbox_payments'];
    // The listing's row was written twice and has its old stock.
    expect(await changed()).toEqual(left);
    expect(await api.staff.available('lst-1')).toBe(available);
    const order = await orderOf('attempt');
    expect(order).toMatchObject({
      stage: 'declined',
      status: null,
      status_history: [],
      pings: [],
      payment: { state: 'declined', provider: 'sandbox', reason: expect.any(String) as string },
    });
    const read = await api.payment.read(String(order['id']));
    expect(codesOf(read)).toEqual([40040]);
  });

  it('frees its ref_id for another try, and its tickets', async () => {
    await api.staff.putListing('last', { quantity: 2 });
    const last = { 'product.listing_id': 'last', ref_id: 'try-again' };
    for (let tries = 0; tries < 3; tries += 1) expect(codesOf(await buy({ ...last, ...DECLINED }))).toEqual([40016]);
    expect((await buy(last)).status).toBe(201);
    expect(codesOf(await buy(last))).toEqual([40030]);
    const { body } = await api.staff.get('orders?stage=declined&ref_id=try-again');
    expect((body as { orders: object[] }).orders).toHaveLength(3);
  });

  it('is not among the orders unless it is requested', async () => {
    await buy({ ref_id: 'hidden', ...DECLINED });
    expect((await api.staff.get('orders?ref_id=hidden')).body).toEqual({ orders: [], next_cursor: null });
  });
});

describe('a payment with an error of the provider', () => {
  it('gets 500, and a ping tells the platform that the order is rejected', async () => {
    const available = await api.staff.available('lst-1');
    const answer = await buy({ ref_id: 'failing', ...FAILING });
    expect(answer.status).toBe(500);
    expect(codesOf(answer)).toEqual([50000]);
    expect(messagesOf(answer)).toEqual(['Unexpected failure']);
    expect(await changed()).not.toContain('listings');
    expect(await api.staff.available('lst-1')).toBe(available);
    const order = await orderOf('failing');
    const rejected = { status: 'rejected', status_message: 'Technical issue', status_code: 3006 };
    expect(order).toMatchObject({
      stage: 'placed',
      status: rejected,
      payment: { state: 'failed' },
      pings: [{ sequence: 1, state: 'pending', ...rejected }],
    });
    const read = await api.payment.read(String(order['id']));
    expect(read).toMatchObject({ status: 200, body: { status: rejected, ref_id: 'failing' } });
    expect(codesOf(await buy({ ref_id: 'failing' }))).toEqual([40030]);
    const error = api.log.find((line) => line.includes('"message":"fault"')) ?? '{}';
    expect(JSON.parse(error)).toMatchObject({
      level: 'error',
      transaction_id: answer.headers.get('x-xx-transaction-id'),
    });
  });
});

describe('a payment without an answer of the provider in time', () => {
  let late: TestApi;
  beforeAll(async () => {
    late = await startTestApi({ PAYMENT_TIMEOUT_MS: '300' });
    await late.staff.putListing('lst-1');
  });
  afterAll(() => late.close());

  it('gets 500, holds its tickets while the order is invisible, and is completed later', async () => {
    const body = broken(cardBody(), { ref_id: 'late', 'payment.data.card_number': '4000000000000341' });
    const answer = await late.payment.buy(body);
    expect([answer.status, codesOf(answer)]).toEqual([500, [50000]]);
    expect(await late.staff.available('lst-1')).toBe(8);
    const open = await late.staff.get('orders?stage=awaiting_payment&ref_id=late');
    const [{ id } = { id: '' }] = (open.body as { orders: { id: string }[] }).orders;
    expect(codesOf(await late.payment.read(id))).toEqual([40040]);
    expect(codesOf(await late.payment.buy(broken(cardBody(), { ref_id: 'late' })))).toEqual([40030]);

    const metadata = { transaction_id: 'completer', actor: 'system:completer' };
    await late.app.get(CommandBus).execute(new CompletePayment(id, metadata));
    expect((await late.payment.read(id)).body).toMatchObject({ status: { status_code: 2000 }, ref_id: 'late' });
    expect((await late.staff.get(`pings?order_id=${id}`)).body).toMatchObject({ pings: [{ status_code: 2000 }] });
    expect(await late.staff.available('lst-1')).toBe(8);
  });
});

describe('a payment that is given up while the provider is still asked', () => {
  it('takes nothing, and the order is rejected', async () => {
    const sandbox = api.app.get(PaymentProviders, { strict: false }).named('sandbox');
    const authorise = sandbox.authorise.bind(sandbox);
    const metadata = { transaction_id: 'completer', actor: 'system:completer' };
    vi.spyOn(sandbox, 'authorise').mockImplementationOnce(async (prepared, request, signal) => {
      await api.app.get(CommandBus).execute(new CompletePayment(prepared.orderId, metadata));
      return await authorise(prepared, request, signal);
    });
    const answer = await buy({ ref_id: 'given up' });
    expect(answer).toMatchObject({ status: 201, body: { status: { status_code: 3006 } } });
    const { id } = answer.body as { id: string };
    const { rows } = await api.pool.query('select state, captured_cents from sandbox_payments where order_id = $1', [
      id,
    ]);
    expect(rows).toEqual([{ state: 'voided', captured_cents: null }]);
    expect((await orderOf('given up'))['payment']).toMatchObject({ state: 'failed', authorised: 0 });
  });
});

describe('a card that the provider refuses before it prepares a payment', () => {
  it('is declined with the code of its cause', async () => {
    const sandbox = api.app.get(PaymentProviders, { strict: false }).named('sandbox');
    vi.spyOn(sandbox, 'preparedAtOnce').mockReturnValue(undefined);
    const declined = { is: 'declined', reason: 'the CVV is wrong', code: 40035 } as const;
    vi.spyOn(sandbox, 'prepare').mockRejectedValueOnce(new MethodRefused(declined));
    const answer = await buy({ ref_id: 'refused early' });
    expect([answer.status, messagesOf(answer)]).toEqual([400, ['Invalid CVV: payment.data.cvv']]);
    expect(await orderOf('refused early')).toMatchObject({
      stage: 'declined',
      payment: { reason: 'the CVV is wrong' },
    });
    vi.restoreAllMocks();
  });
});

describe('a provider that cannot be reached', () => {
  it('gets 503, and leaves an attempt whose ref_id is free again', async () => {
    const sandbox = api.app.get(PaymentProviders, { strict: false }).named('sandbox');
    vi.spyOn(sandbox, 'authorise').mockRejectedValueOnce(new ProviderUnavailable('The provider answered 429.'));
    const answer = await buy({ ref_id: 'unreachable' });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await orderOf('unreachable')).toMatchObject({ stage: 'failed', status: null, pings: [] });
    expect((await buy({ ref_id: 'unreachable' })).status).toBe(201);
  });
});

describe('a repeated purchase is rejected with 40030', () => {
  it('if the ref_id is the same, whatever else differs', async () => {
    expect((await buy({ ref_id: 'once' })).status).toBe(201);
    before = await tableState(api.pool);
    expect(codesOf(await buy({ ref_id: 'once' }))).toEqual([40030]);
    const another = { ref_id: 'once', 'product.quantity': 1, 'payment.total': 134.83, user: undefined };
    expect(codesOf(await buy(another))).toEqual([40030]);
    expect(await changed()).toEqual([]);
    expect((await buy({ ref_id: 'Once' })).status).toBe(201);
    expect((await buy({ ref_id: 'once ' })).status).toBe(201);
  });

  it('but not if another client used it', async () => {
    const body = broken(wholesaleBody(), { ref_id: 'shared' });
    expect((await api.wholesale.buy(body)).status).toBe(201);
    expect((await buy({ ref_id: 'shared' })).status).toBe(201);
    expect(codesOf(await api.wholesale.buy(body))).toEqual([40030]);
  });

  it('without a ref_id if transaction id and body are the same, byte for byte', async () => {
    const body = JSON.stringify(broken(cardBody(), { ref_id: undefined }));
    const within = (id: string, text: string) => api.payment.buy(text, { 'x-xx-transaction-id': id });
    expect((await within('tx-a', body)).status).toBe(201);
    before = await tableState(api.pool);
    expect(codesOf(await within('tx-a', body))).toEqual([40030]);
    expect(await changed()).toEqual([]);
    expect((await within('tx-b', body)).status).toBe(201);
    expect((await within('tx-a', `${body} `)).status).toBe(201);
    expect((await within('tx-a', JSON.stringify(broken(cardBody(), { ref_id: 'named' })))).status).toBe(201);
    for (const _ of [1, 2]) expect((await api.payment.buy(body)).status).toBe(201);
  });
});
