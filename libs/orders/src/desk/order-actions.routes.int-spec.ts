import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { codesOf } from '../../../../test/support/callers.js';
import { signIn } from '../../../../test/support/operators.js';
import { cardBody, wholesaleBody } from '../../../../test/support/purchase-bodies.js';
import type { OrderAction, OrderActionList } from '../order-action.contract.js';
import { PaymentSteps } from '../payments/payment-steps.js';

const SYSTEM = { transaction_id: 'tx-release', actor: 'system:payment' };
const SHIPMENT = { type: 'ship', data: { carrier: 'UPS', tracking_number: '1Z1' } };

let api: TestApi;
let purchases = 0;

beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1', { quantity: 1_000 });
  await api.staff.putListing('others', { quantity: 1_000 });
  await api.staff.putListing('untaxed', { quantity: 1_000, tax_rate: 0, tax_rates: {} });
  await api.staff.putListing('manual', { quantity: 1_000, confirmation: 'manual', confirm_within_minutes: 30 });
});
afterAll(() => api.close());

const paid = (listing_id = 'lst-1') => {
  purchases += 1;
  const body = cardBody();
  return api.payment.bought({ ...body, ref_id: `paid-${purchases}`, product: { ...body.product, listing_id } });
};
const fetched = () => {
  purchases += 1;
  const { payment, ...body } = cardBody();
  const delivery_method = { type: 'will_call', data: { first_name: 'Ada', last_name: 'Lovelace' } } as const;
  return api.payment.bought({
    ...body,
    ref_id: `fetched-${purchases}`,
    product: { ...body.product, listing_id: 'untaxed' },
    payment: { ...payment, total: 220 },
    delivery_method,
  });
};
const unpaid = () => {
  purchases += 1;
  return api.wholesale.bought({ ...wholesaleBody(), ref_id: `unpaid-${purchases}` });
};
const changed = async (id: string, code: number) => {
  expect((await api.staff.changeStatus(id, code)).status).toBe(200);
  return id;
};
const offered = async (id: string) => {
  const offer = { listing_id: 'others', expires_in_minutes: 30 };
  expect((await api.staff.send('POST', `orders/${id}/replacement`, offer)).status).toBe(200);
  return id;
};
const shipped = async () => {
  const id = await paid();
  expect((await api.staff.send('POST', `orders/${id}/fulfillment`, SHIPMENT)).status).toBe(200);
  return id;
};

const actionsOf = async (id: string) => ((await api.staff.get(`orders/${id}/actions`)).body as OrderActionList).actions;

/** What can be observed outside the order. */
async function observableState(id: string) {
  const { rows } = await api.pool.query<{ pings: number; available: number; payment: string }>(
    `select (select count(*)::int from pings where order_id = id) as pings, summary #>> '{payment,state}' as payment,
       (select sum(available)::int from listings) as available
     from orders where id = $1`,
    [id],
  );
  if (!rows[0]) throw new Error(`There is no order ${id}`);
  return rows[0];
}

async function run(id: string, { action, status_code }: OrderAction) {
  const change = { status_code };
  const ship = { type: 'ship', data: { carrier: 'UPS', tracking_number: '42' } };
  const deliver = { type: 'download', data: { url: 'https://tickets.example/42' } };
  const transfer = (await api.staff.get(`orders/${id}/transfers`)).body as { transfers: { id: string }[] };
  const sent = {
    approve: ['approve', {}],
    accept: ['accept', {}],
    deny: ['deny', { reason: 'denied' }],
    accept_replacement: ['replacement/accept', {}],
    reject_replacement: ['replacement/reject', {}],
    offer_replacement: ['replacement', { listing_id: 'others', expires_in_minutes: 30 }],
    change_status: ['status', change],
    ship: ['fulfillment', ship],
    deliver: ['fulfillment', deliver],
    transfer: ['transfers', { source: 'email' }],
    record_acceptance: [`transfers/${transfer.transfers[0]?.id ?? ''}/state`, { state: 'accepted' }],
    enter_barcodes: ['barcodes', { barcodes: [] }],
    record_pickup: ['../../delivery-reports', { order_id: id, kind: 'picked_up' }],
  } as const;
  const [path, body] = sent[action];
  expect([200, 201]).toContain((await api.staff.send('POST', `orders/${id}/${path}`, body)).status);
  // The worker does this, because the deadline of the order says so.
  await api.app.get(PaymentSteps, { strict: false }).run(id, SYSTEM);
}

/** The effects that can be seen after an action. */
async function effectsOfRunning(id: string, action: OrderAction): Promise<string[]> {
  const before = await observableState(id);
  await run(id, action);
  const after = await observableState(id);
  const { rows } = await api.pool.query<{ how: string }>(
    `select data ->> 'how' as how from events where stream = 'order-' || $1 and type = 'PaymentReleased'`,
    [id],
  );
  const how = { voided: 'void', refunded: 'refund' }[rows[0]?.how ?? ''];
  return [
    ...(after.pings > before.pings ? ['ping'] : []),
    ...(after.payment !== before.payment && how ? [how] : []),
    ...(after.available > before.available ? ['restock'] : []),
  ];
}

const SITUATIONS = {
  'waits for the broker': () => paid('manual'),
  'is confirmed': () => paid(),
  'is confirmed and nobody paid': () => unpaid(),
  'has shipped': () => shipped(),
  'waits at the box office': () => fetched(),
  'has a problem': async () => changed(await paid(), 4001),
  'has a problem after it was delivered': async () => changed(await shipped(), 4001),
  'was offered other tickets': async () => offered(await paid()),
  'waits for a review': async () => changed(await paid('manual'), 1002),
};

describe('the actions of an order', () => {
  it.each(Object.entries(SITUATIONS))('that %s do what they promise', async (_, order) => {
    const possible = await actionsOf(await order());
    expect(possible.length).toBeGreaterThan(10);
    for (const action of possible) {
      const seen = await effectsOfRunning(await order(), action);
      expect([action.label, seen]).toEqual([action.label, action.effects]);
    }
  });

  it('of an order that waits begin with the ones that most orders need', async () => {
    const main = (await actionsOf(await paid('manual'))).filter((action) => action.main);
    expect(main).toEqual([
      {
        action: 'accept',
        label: 'Confirm',
        main: true,
        status_code: 2000,
        status_message: 'Confirmed',
        effects: ['ping'],
        needs: [],
        until: expect.any(String) as string,
        allowed: true,
      },
      {
        action: 'deny',
        label: 'Reject',
        main: true,
        status_code: 3004,
        status_message: 'Tickets not available - broker denies',
        effects: ['ping', 'void', 'restock'],
        needs: ['reason'],
        until: expect.any(String) as string,
        allowed: true,
      },
      {
        action: 'ship',
        label: 'Ship',
        main: true,
        status_code: 2002,
        status_message: 'Tickets shipped (hard tickets)',
        effects: ['ping'],
        needs: ['carrier', 'tracking_number'],
        carriers: expect.arrayContaining(['UPS']) as string[],
        allowed: true,
      },
      {
        action: 'deliver',
        label: 'Deliver',
        main: true,
        status_code: 2004,
        status_message: 'Tickets fulfilled - email',
        effects: ['ping'],
        needs: ['url'],
        allowed: true,
      },
      {
        action: 'change_status',
        label: 'Cancel and refund',
        main: true,
        status_code: 3010,
        status_message: "Cancelled at the customer's request",
        effects: ['ping', 'void', 'restock'],
        needs: [],
        allowed: true,
      },
      {
        action: 'offer_replacement',
        label: 'Offer other tickets',
        main: true,
        status_code: 4005,
        status_message: 'Replacement tickets offered',
        effects: ['ping'],
        needs: [],
        allowed: true,
      },
    ]);
  });

  it('of shipped tickets correct the parcel, and take nothing back', async () => {
    const possible = await actionsOf(await shipped());
    expect(possible.find(({ action }) => action === 'ship')).toMatchObject({
      label: 'Correct tracking number',
      effects: [],
    });
    expect(possible.find(({ status_code: code }) => code === 3010)).toMatchObject({ effects: ['ping', 'void'] });
    expect(possible.map(({ label }) => label)).not.toContain('Confirm: Confirmed');
  });

  it('are none at the end, before the payment, and for an order that does not exist', async () => {
    expect(await actionsOf(await changed(await paid(), 3010))).toEqual([]);
    await api.payment.buy({
      ...cardBody(),
      ref_id: 'no',
      payment: { ...cardBody().payment, data: { ...cardBody().payment.data, card_number: '4000000000000002' } },
    });
    const { body } = await api.staff.get('orders?stage=declined');
    expect(await actionsOf((body as { orders: { id: string }[] }).orders[0]?.id ?? '')).toEqual([]);
    expect(codesOf(await api.staff.get('orders/ord_unknown/actions'))).toEqual([40400]);
  });

  it('have labels that differ, and are the ones that the rules allow', async () => {
    for (const order of Object.values(SITUATIONS)) {
      const labels = (await actionsOf(await order())).map(({ label }) => label);
      expect(new Set(labels).size).toBe(labels.length);
    }
    const waiting = (await actionsOf(await paid('manual'))).map(({ status_code: code }) => code);
    // All statuses but its own, the two answers, and other tickets.
    expect(waiting).toHaveLength(27);
    const confirmed = (await actionsOf(await paid())).map(({ status_code: code }) => code);
    expect(confirmed.filter((code) => code !== undefined && code < 2001)).toEqual([]);
  });

  it('name the permission that a viewer lacks', async () => {
    const viewer = await signIn(api, ['viewer']);
    const { actions } = (await viewer.get(`orders/${await paid()}/actions`)).body as OrderActionList;
    expect(new Set(actions.map(({ allowed }) => allowed))).toEqual(new Set([false]));
    expect(actions[0]).toMatchObject({ why_not: 'needs the permission orders:act' });
  });
});
