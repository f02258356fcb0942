import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { codesOf } from '../../../../test/support/callers.js';
import { LiveOrders } from '../../../../test/support/orders/live-orders.js';
import { PURCHASE } from '../../../../test/support/orders/received-purchase.js';
import { cardBody } from '../../../../test/support/purchase-bodies.js';
import type { OrderChanges, OrderDetail } from '../order.contract.js';
import type { OrderEvent } from '#domain/order-events';
import { orderStream } from '#domain/order-stream';
import { EventStore } from '#event-store/event-store';
import { ADMINISTRATOR_TOKEN } from '#accounts/caller';
import { SeededRandomness } from '#base/seeded-randomness';
import { OrderView } from '../order-view.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1', { quantity: 100 });
});
afterAll(() => api.close());

const read = async (path: string) => (await api.staff.get(`orders/${path}`)).body;

/** Leaves out what every version shows as of today, and what an erasure removes. */
function comparable(order: OrderDetail, isErased: boolean): object {
  const { personal_data: _, ...rest } = structuredClone(order);
  if (!isErased) return rest;
  const { market_specific_fields: __, ...kept } = rest;
  return {
    ...kept,
    buyer: null,
    payment: rest.payment && { ...rest.payment, billing: null },
    status_history: rest.status_history.map((entry) => ({ ...entry, note: null })),
  };
}

describe('an order as it was', () => {
  it.each([1, 2])('is at every version what the read model was then (seed %i)', async (seed) => {
    const view = api.app.get(OrderView);
    const live = new LiveOrders(api.pool, new SeededRandomness(seed));
    const seen = new Map<string, OrderDetail>();
    const versions = new Map<string, number>();
    for (let step = 0; step < 120; step += 1) {
      await live.step();
      const { rows } = await api.pool.query<{ id: string; version: number }>('select id, version from orders');
      for (const { id, version } of rows.filter((row) => versions.get(row.id) !== row.version)) {
        versions.set(id, version);
        const order = await view.detail(id, ADMINISTRATOR_TOKEN);
        if (order) seen.set(`${id} ${version}`, order);
      }
    }
    expect(seen.size).toBeGreaterThan(60);
    for (const [key, order] of seen) {
      const isErased = (await view.detail(order.id, ADMINISTRATOR_TOKEN))?.personal_data === 'erased';
      const past = await view.past(order.id, { version: order.version }, ADMINISTRATOR_TOKEN);
      expect(past && comparable(past, isErased), key).toEqual(comparable(order, isErased));
      const then = await view.past(order.id, { at: order.updated_at }, ADMINISTRATOR_TOKEN);
      expect(then?.version, key).toBeGreaterThanOrEqual(order.version);
    }
  });

  it('is read by version or by time, and not before it began or after its last version', async () => {
    const id = await api.payment.bought(cardBody());
    await api.staff.changeStatus(id, 2001);
    const now = (await read(id)) as OrderDetail;
    expect(now.version).toBe(5);
    expect(await read(`${id}?version=5`)).toEqual(now);
    expect(await read(`${id}?at=${now.updated_at}`)).toEqual(now);
    expect(await read(`${id}?version=1`)).toMatchObject({
      version: 1,
      stage: 'awaiting_payment',
      status: null,
      pings: [],
    });
    expect(await read(`${id}?version=4`)).toMatchObject({
      version: 4,
      status: { status_code: 2000 },
      status_history: [{ status_code: 2000 }],
      buyer: { email: 'ada@example.com' },
      pings: [{ sequence: 1 }],
    });
    const code = async (query: string) => codesOf(await api.staff.get(`orders/${id}?${query}`));
    const before = new Date(Date.parse(now.placed_at) - 1).toISOString();
    expect(await code('version=0')).toEqual([40400]);
    expect(await code('version=-1')).toEqual([40400]);
    expect(await code('version=6')).toEqual([40400]);
    expect(await code(`at=${before}`)).toEqual([40400]);
    expect(await code('version=one')).toEqual([40001]);
    expect(await code('at=yesterday')).toEqual([40001]);
    expect(await code(`version=1&at=${before}`)).toEqual([40001]);
    expect(codesOf(await api.staff.get('orders/ord_unknown?version=1'))).toEqual([40400]);
  });

  it('of 1,000 events is as it was at any of them', async () => {
    const store: EventStore<object, OrderEvent> = api.app.get(EventStore);
    const metadata = { transaction_id: 'tx-long', actor: 'staff:test' };
    const status = (code: number) =>
      ({ status: 'confirmed', status_message: `Code ${code}`, status_code: code }) as const;
    const changes = Array.from({ length: 998 }, (_, index): OrderEvent => {
      return { type: 'OrderConfirmed', data: { status: status(2000 + (index % 2)) } };
    });
    const product = { ...PURCHASE.product, listing_id: 'lst-1' };
    const { rows } = await api.pool.query<{ version: number }>(`select version from listings where id = 'lst-1'`);
    const bought = { ...PURCHASE, personal: null, product, listing_version: rows[0]?.version ?? 0 };
    const paid = { provider: 'p', reference: 'r', amount_cents: 1 };
    const events: OrderEvent[] = [
      { type: 'PurchaseReceived', data: bought },
      { type: 'PaymentAuthorised', data: paid },
      ...changes,
    ];
    await store.append(store.fresh(orderStream('ord_long')), events, { metadata });
    expect(await read('ord_long?version=1000')).toEqual(await read('ord_long'));
    expect(await read('ord_long?version=900')).toMatchObject({ version: 900, status: { status_code: 2001 } });
  });
});

describe('the changes of an order', () => {
  it('between two versions are named, with the events that made them', async () => {
    const id = await api.payment.bought({ ...cardBody(), ref_id: 'changes' });
    await api.staff.send('POST', `orders/${id}/fulfillment`, {
      type: 'ship',
      data: { carrier: 'UPS', tracking_number: '1Z1' },
      note: 'by courier',
    });
    const { changes, events } = (await read(`${id}/changes?from=4&to=5`)) as OrderChanges;
    expect(changes).toEqual(
      expect.arrayContaining([
        { path: '/version', before: 4, after: 5 },
        { path: '/status/status_code', before: 2000, after: 2002 },
        {
          path: '/fulfillment',
          before: null,
          after: { type: 'ship', data: { carrier: 'UPS', tracking_number: '1Z1' } },
        },
        { path: '/status_history/1', before: null, after: expect.objectContaining({ note: 'by courier' }) },
      ]),
    );
    expect(events).toMatchObject([{ position: 5, type: 'TicketsShipped', metadata: { actor: 'token:backoffice' } }]);
    const code = async (query: string) => codesOf(await api.staff.get(`orders/${id}/changes${query}`));
    expect(await code('?from=2&to=2')).toEqual([40001]);
    expect(await code('?from=2')).toEqual([40001]);
    expect(await code('?from=0&to=2')).toEqual([40400]);
    expect(await code('?from=1&to=6')).toEqual([40400]);
  });
});
