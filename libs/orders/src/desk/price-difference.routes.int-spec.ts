import { CommandBus } from '@nestjs/cqrs';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { codesOf } from '../../../../test/support/callers.js';
import { cardBody, wholesaleBody } from '../../../../test/support/purchase-bodies.js';
import { until } from '../../../../test/support/until.js';
import type { OrderDetail } from '../order.contract.js';
import type { OrderActionList } from '../order-action.contract.js';
import type { Timeline } from '#desk/timeline.contract';
import { Sealer } from '#base/sealing';
import { ReleasePayment } from '../commands/release-payment.handler.js';
import { ReturnDifference } from '../commands/return-difference.handler.js';
import { Deadlines } from '../deadlines/deadlines.js';
import { DueOrders } from '../deadlines/due-orders.js';
import { type PaymentPart, PaymentProvider } from '../payments/payment-provider.js';
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
const settle = (id: string) => api.app.get(CommandBus).execute(new ReturnDifference(id, SYSTEM));
const provider = () => api.app.get(PaymentProvider);

async function accepted(listing: string, id?: string): Promise<string> {
  const orderId = id ?? (await bought());
  expect((await offer(orderId, listing)).status).toBe(200);
  expect((await send(orderId, 'replacement/accept')).status).toBe(200);
  return orderId;
}

async function due(id: string) {
  const now = new Date(Date.now() + 60_000).toISOString();
  return (await api.app.get(DueOrders, { strict: false }).find(now, 0, { limit: 500 })).find((one) => one.id === id);
}

/** The parts that the provider gave back, and those that the log knows of, in US cents. */
async function parts(id: string) {
  const { rows } = await api.pool.query<{ given: number[]; recorded: number[] }>(
    `select array(select amount_cents::int from sandbox_releases where order_id = $1 order by created_at) as given,
       array(select (data ->> 'amount_cents')::int from events
         where stream = 'order-' || $1 and type = 'PaymentPartlyReleased' order by position) as recorded`,
    [id],
  );
  return rows[0];
}
const NONE = { given: [], recorded: [] };
const ONCE = { given: [2_178], recorded: [2_178] };

describe('cheaper tickets', () => {
  it('lower the total when they are accepted, and the worker gives the difference back', async () => {
    const id = await bought();
    await offer(id, 'cheaper');
    expect(await order(id)).toMatchObject({ total: PAID, replacement: { price_difference: -LESS } });
    const { actions } = (await api.staff.get(`orders/${id}/actions`)).body as OrderActionList;
    const taken = actions.find(({ action }) => action === 'accept_replacement');
    expect(taken).toMatchObject({ effects: ['ping', 'void', 'restock'], returned: LESS });
    await send(id, 'replacement/accept');
    expect(await order(id)).toMatchObject({ total: CHEAPER, payment: { state: 'authorised', return_due: LESS } });

    const found = await due(id);
    expect(found).toMatchObject({ due_for: 'price_difference' });
    await api.app.get(Deadlines, { strict: false }).process({ ...found!, due_at: new Date(0).toISOString() });
    const settled = await order(id);
    expect(settled).toMatchObject({ total: CHEAPER, payment: { state: 'authorised', returned: LESS } });
    expect(settled.payment).not.toHaveProperty('return_due');
    expect(await parts(id)).toEqual(ONCE);
    expect(await due(id)).toBeUndefined();
    const { entries } = (await api.staff.get(`orders/${id}/timeline`)).body as Timeline;
    expect(entries).toContainEqual(
      expect.objectContaining({ kind: 'payment', title: 'Payment voided in part: $21.78 for cheaper tickets' }),
    );
  });

  it('have their difference given back once by two workers at once', async () => {
    const id = await accepted('cheaper');
    let arrived = 0;
    const real = provider().releasePart.bind(provider());
    const spy = vi.spyOn(provider(), 'releasePart').mockImplementation(async (part: PaymentPart) => {
      arrived += 1;
      await until(() => arrived === 2);
      return await real(part);
    });
    await Promise.all([settle(id), settle(id)]);
    await settle(id);
    expect(spy).toHaveBeenCalledTimes(2);
    expect(await parts(id)).toEqual(ONCE);
  });

  it('have it given back once when a worker ends between the provider and the record', async () => {
    const id = await accepted('cheaper');
    const real = provider().releasePart.bind(provider());
    vi.spyOn(provider(), 'releasePart').mockImplementationOnce(async (part) => {
      await real(part);
      throw new Error('the worker was killed');
    });
    await expect(settle(id)).rejects.toThrow('killed');
    expect(await parts(id)).toEqual({ given: [2_178], recorded: [] });
    await settle(id);
    expect(await parts(id)).toEqual(ONCE);
  });

  it('wait for a provider that is down', async () => {
    const id = await accepted('cheaper');
    vi.spyOn(provider(), 'releasePart').mockRejectedValueOnce(new Error('down'));
    await expect(settle(id)).rejects.toThrow('down');
    expect(await parts(id)).toEqual(NONE);
    expect(await due(id)).toMatchObject({ due_for: 'price_difference' });
    expect(codesOf(await offer(id, 'equal'))).toEqual([40902]);
    await settle(id);
    expect(await parts(id)).toEqual(ONCE);
  });

  it('after cheaper ones give back their own difference', async () => {
    const id = await accepted('cheaper');
    await settle(id);
    await api.staff.putListing('cheapest', { quantity: 50, price: 80 });
    await accepted('cheapest', id);
    await settle(id);
    expect(await parts(id)).toEqual({ given: [2_178, 2_177], recorded: [2_178, 2_177] });
    expect(await order(id)).toMatchObject({ total: 211.05, payment: { returned: 43.55 } });
  });

  it('give nothing apart when the order ends first: the whole payment goes back', async () => {
    const id = await accepted('cheaper');
    const spy = vi.spyOn(provider(), 'releasePart');
    await send(id, 'status', { status_code: 3010 });
    await settle(id);
    expect(spy).not.toHaveBeenCalled();
    await api.app.get(CommandBus).execute(new ReleasePayment(id, SYSTEM));
    const { payment } = await order(id);
    expect([payment?.state, await parts(id)]).toEqual(['released', NONE]);
  });

  it('give nothing apart when the order ends while the provider is asked', async () => {
    const id = await accepted('cheaper');
    const real = provider().releasePart.bind(provider());
    vi.spyOn(provider(), 'releasePart').mockImplementationOnce(async (part) => {
      await send(id, 'status', { status_code: 3010 });
      await api.app.get(CommandBus).execute(new ReleasePayment(id, SYSTEM));
      return await real(part);
    });
    await expect(settle(id)).rejects.toThrow('no payment');
    await settle(id);
    expect(await parts(id)).toEqual(NONE);
  });

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
    const id = await accepted(listing);
    const spy = vi.spyOn(provider(), 'releasePart');
    const { total, replacement, payment } = await order(id);
    expect([total, replacement?.price_difference, payment?.return_due]).toEqual([PAID, difference, undefined]);
    expect(await due(id)).toBeUndefined();
    await settle(id);
    expect([spy.mock.calls, await parts(id)]).toEqual([[], NONE]);
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
