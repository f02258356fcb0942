import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { codesOf } from '../../../../test/support/callers.js';
import { cardBody, wholesaleBody } from '../../../../test/support/purchase-bodies.js';
import type { OrderDetail } from '../order.contract.js';
import type { OrderActionList } from '../order-action.contract.js';
import type { Timeline } from '#desk/timeline.contract';
import { Sealer } from '#base/sealing';
import { PaymentProviders } from '#payments/payment-providers';
import { DuePayments } from '../payments/due-payments.js';
import { PaymentSteps } from '../payments/payment-steps.js';
import { loadLedgerProof } from '#upkeep/ledger-proof';
import { verify } from '#upkeep/verify';

const SYSTEM = { transaction_id: 'sweep', actor: 'system:price_difference' };
// Two tickets with their tax in New York and the courier: 220 + 19.53 + 15.07. The cheaper ones are 200 + 17.75 + 15.07.
const [PAID, CHEAPER, LESS] = [254.6, 232.82, 21.78];

let api: TestApi;
let purchases = 0;

beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1', { quantity: 500 });
  await api.staff.putListing('cheaper', { quantity: 500, price: 90 });
  await api.staff.putListing('equal', { quantity: 500 });
  await api.staff.putListing('dearer', { quantity: 500, price: 120 });
  const delivery_methods = [{ type: 'download' as const, name: 'E-tickets', cost: 0 }];
  await api.staff.putListing('electronic', { quantity: 500, delivery_methods });
});
// After all tests the tables must agree with the log, and the stock with the orders.
afterAll(async () => {
  const proof = await loadLedgerProof(api.pool, api.app.get(Sealer), []);
  expect((await verify(api.pool, proof)).differences).toEqual([]);
  await api.close();
});
afterEach(() => void vi.restoreAllMocks());

const bought = () => api.payment.bought({ ...cardBody(), ref_id: `difference-${(purchases += 1)}` });
const send = (id: string, path: string, body?: unknown) => api.staff.send('POST', `orders/${id}/${path}`, body);
const order = async (id: string) => (await api.staff.get(`orders/${id}`)).body as OrderDetail;
const offer = (id: string, listing_id: string) => send(id, 'replacement', { listing_id, expires_in_minutes: 30 });
const settle = (id: string) => api.app.get(PaymentSteps, { strict: false }).run(id, SYSTEM);
const sandbox = () => api.app.get(PaymentProviders, { strict: false }).named('sandbox');

async function accepted(listing: string, id?: string): Promise<string> {
  const orderId = id ?? (await bought());
  expect((await offer(orderId, listing)).status).toBe(200);
  expect((await send(orderId, 'replacement/accept')).status).toBe(200);
  return orderId;
}

const due = async (id: string) => {
  const now = new Date(Date.now() + 60_000).toISOString();
  const found = await api.app.get(DuePayments, { strict: false }).find(now, { limit: 500, except: [] });
  return found.find((one) => one.id === id)?.step;
};

/** What the provider took and gave back, and the refunds that the log knows of, in US cents. */
async function money(id: string) {
  const { rows } = await api.pool.query<{ taken: number | null; given: number[]; recorded: number[] }>(
    `select (select captured_cents::int from sandbox_payments where order_id = $1) as taken,
       array(select amount_cents::int from sandbox_refunds where order_id = $1 order by created_at) as given,
       array(select (asked.data ->> 'amount_cents')::int from events made join events asked using (stream)
         where stream = 'order-' || $1 and made.type = 'RefundSucceeded' and asked.type = 'RefundRequested'
           and asked.data ->> 'refund_id' = made.data ->> 'refund_id' order by made.position) as recorded`,
    [id],
  );
  return rows[0];
}
const TAKEN = { taken: 25_460, given: [], recorded: [] };
const ONCE = { taken: 25_460, given: [2_178], recorded: [2_178] };

/** An order whose payment is taken, with cheaper tickets. */
async function taken(listing = 'cheaper'): Promise<string> {
  const id = await bought();
  await settle(id);
  return await accepted(listing, id);
}

describe('cheaper tickets before the payment is taken', () => {
  it('lower what will be taken as soon as they are accepted', async () => {
    const id = await bought();
    await offer(id, 'cheaper');
    expect(await order(id)).toMatchObject({ total: PAID, replacement: { price_difference: -LESS } });
    const { actions } = (await api.staff.get(`orders/${id}/actions`)).body as OrderActionList;
    const answer = actions.find(({ action }) => action === 'accept_replacement');
    expect(answer).toMatchObject({ effects: ['ping', 'void', 'restock'], returned: LESS });
    await send(id, 'replacement/accept');
    expect(await order(id)).toMatchObject({
      total: CHEAPER,
      payment: { state: 'authorised', authorised: PAID, returned: LESS },
    });
    expect(await due(id)).toBe('capture');
    await settle(id);
    const { payment } = await order(id);
    expect(payment).toMatchObject({ state: 'captured', captured: CHEAPER, refundable: CHEAPER, returned: LESS });
    expect(payment).not.toHaveProperty('return_due');
    expect([await money(id), await due(id)]).toEqual([{ taken: 23_282, given: [], recorded: [] }, undefined]);
    const { entries } = (await api.staff.get(`orders/${id}/timeline`)).body as Timeline;
    expect(entries).toContainEqual(
      expect.objectContaining({ kind: 'payment', title: 'Payment voided in part: $21.78 for cheaper tickets' }),
    );
  });

  it('have the difference refunded if the capture was under way', async () => {
    const id = await bought();
    const real = sandbox().capture.bind(sandbox());
    vi.spyOn(sandbox(), 'capture').mockImplementationOnce(async (request) => {
      const outcome = await real(request);
      await accepted('cheaper', id);
      return outcome;
    });
    await settle(id);
    expect(await money(id)).toEqual(ONCE);
    expect(await order(id)).toMatchObject({ total: CHEAPER, payment: { state: 'part_refunded', captured: PAID } });
  });
});

describe('cheaper tickets after the payment was taken', () => {
  it('lower the total when they are accepted, and the worker gives the difference back', async () => {
    const id = await bought();
    await settle(id);
    expect(await order(id)).toMatchObject({ payment: { state: 'captured', captured: PAID } });
    await offer(id, 'cheaper');
    const { actions } = (await api.staff.get(`orders/${id}/actions`)).body as OrderActionList;
    const answer = actions.find(({ action }) => action === 'accept_replacement');
    expect(answer).toMatchObject({ effects: ['ping', 'refund', 'restock'], returned: LESS });
    await send(id, 'replacement/accept');
    expect(await order(id)).toMatchObject({ total: CHEAPER, payment: { state: 'captured', return_due: LESS } });
    expect(await due(id)).toBe('return');
    await settle(id);
    const settled = await order(id);
    expect(settled).toMatchObject({ total: CHEAPER, payment: { state: 'part_refunded', returned: LESS } });
    expect(settled.payment).not.toHaveProperty('return_due');
    expect([await money(id), await due(id)]).toEqual([ONCE, undefined]);
    const { entries } = (await api.staff.get(`orders/${id}/timeline`)).body as Timeline;
    expect(entries).toContainEqual(expect.objectContaining({ kind: 'payment', title: 'Refund of $21.78 requested' }));
  });

  it('have their difference given back once by two workers at once', async () => {
    const id = await taken();
    await Promise.all([settle(id), settle(id)]);
    await settle(id);
    expect(await money(id)).toEqual(ONCE);
  });

  it('have it given back once when a worker ends between the provider and the record', async () => {
    const id = await taken();
    const real = sandbox().refund.bind(sandbox());
    vi.spyOn(sandbox(), 'refund').mockImplementationOnce(async (request) => {
      await real(request);
      throw new Error('the worker was killed');
    });
    await expect(settle(id)).rejects.toThrow('killed');
    expect(await money(id)).toEqual({ ...ONCE, recorded: [] });
    await settle(id);
    expect(await money(id)).toEqual(ONCE);
  });

  it('wait for a provider that is down', async () => {
    const id = await taken();
    vi.spyOn(sandbox(), 'refund').mockRejectedValueOnce(new Error('down'));
    await expect(settle(id)).rejects.toThrow('down');
    expect([await money(id), await due(id)]).toEqual([TAKEN, 'refund']);
    await settle(id);
    expect(await money(id)).toEqual(ONCE);
  });

  it('after cheaper ones give back their own difference', async () => {
    const id = await taken();
    await settle(id);
    await api.staff.putListing('cheapest', { quantity: 50, price: 80 });
    await accepted('cheapest', id);
    await settle(id);
    expect(await money(id)).toEqual({ taken: 25_460, given: [2_178, 2_177], recorded: [2_178, 2_177] });
    expect(await order(id)).toMatchObject({ total: 211.05, payment: { returned: 43.55 } });
  });

  it('give nothing apart when the order ends first: the whole payment goes back', async () => {
    const id = await taken();
    await send(id, 'status', { status_code: 3010 });
    await settle(id);
    expect(await money(id)).toEqual({ taken: 25_460, given: [25_460], recorded: [25_460] });
    expect((await order(id)).payment).toMatchObject({ state: 'refunded', refunded: PAID, refundable: 0 });
  });

  it('give back the rest when the order ends while the provider is asked', async () => {
    const id = await taken();
    const real = sandbox().refund.bind(sandbox());
    vi.spyOn(sandbox(), 'refund').mockImplementationOnce(async (request) => {
      await send(id, 'status', { status_code: 3010 });
      return await real(request);
    });
    await settle(id);
    expect(await money(id)).toEqual({ taken: 25_460, given: [2_178, 23_282], recorded: [2_178, 23_282] });
  });
});

describe('cheaper tickets', () => {
  it('that are not delivered the same way cost no delivery', async () => {
    const id = await bought();
    expect((await offer(id, 'electronic')).body).toMatchObject({ replacement: { price_difference: -15.07 } });
  });

  it('are the sales of the money report', async () => {
    await api.staff.putListing('reported', { quantity: 50, seller: 'Reported' });
    await api.staff.putListing('reported-less', { quantity: 50, seller: 'Reported', price: 90 });
    const body = cardBody();
    const product = { ...body.product, listing_id: 'reported' };
    const id = await api.payment.bought({ ...body, ref_id: 'reported', product });
    const row = async () => {
      const { rows } = (await api.staff.get('reports/money?by=seller')).body as { rows: { seller: string }[] };
      return rows.find(({ seller }) => seller === 'Reported');
    };
    expect(await row()).toMatchObject({ orders: 1, total: PAID, confirmed: PAID });
    await accepted('reported-less', id);
    await settle(id);
    expect(await row()).toMatchObject({ orders: 1, total: CHEAPER, confirmed: CHEAPER, refunded: 0 });
  });
});

describe('other tickets', () => {
  it.each([
    ['equal', 0],
    ['dearer', 43.55],
  ])('that are %s move no money', async (listing, difference) => {
    const id = await bought();
    await settle(id);
    await accepted(listing, id);
    const { total, replacement, payment } = await order(id);
    expect([total, replacement?.price_difference, payment?.return_due]).toEqual([PAID, difference, undefined]);
    expect(await due(id)).toBeUndefined();
    await settle(id);
    expect(await money(id)).toEqual(TAKEN);
  });

  it('of a wholesale order leave its total as it was', async () => {
    // Without a buyer there is no address either.
    const { product } = wholesaleBody();
    const id = await api.wholesale.bought({ product, ref_id: 'wholesale-difference' });
    await api.staff.putListing('wholesale-less', { quantity: 50, price: 50, wholesale_price: 40 });
    await accepted('wholesale-less', id);
    const { total, replacement, payment } = await order(id);
    expect([total, payment, await due(id)]).toEqual([180.02, null, undefined]);
    expect(replacement).not.toHaveProperty('price_difference');
  });

  it('have no price after the address was erased, so they are not offered', async () => {
    const id = await bought();
    await api.staff.send('DELETE', `orders/${id}/personal-data`);
    const before = await api.staff.available('cheaper');
    expect(codesOf(await offer(id, 'cheaper'))).toEqual([40902]);
    expect([await api.staff.available('cheaper'), (await order(id)).replacement]).toEqual([before, null]);
  });

  it('are priced for the address of the purchase, also after it was corrected', async () => {
    const id = await bought();
    const address = { city: 'Austin', state: 'TX', zip: '73301' };
    expect((await api.staff.send('PATCH', `orders/${id}/buyer`, { address })).status).toBe(200);
    expect((await offer(id, 'equal')).body).toMatchObject({ replacement: { price_difference: 0 } });
  });
});
