import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Sealer } from '#base/sealing';
import { OrderChanges } from '#orders/order-changes';
import type { OrderDetail } from '#orders/order.contract';
import { loadLedgerProof } from '#upkeep/ledger-proof';
import { verify } from '#upkeep/verify';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { codesOf, messagesOf, STAFF_TOKEN } from '../../../../test/support/callers.js';
import { signIn } from '../../../../test/support/operators.js';
import { formOf, PDF, PNG } from '../../../../test/support/orders/ticket-files.js';
import { cardBody } from '../../../../test/support/purchase-bodies.js';
import { temporaryFolder } from '../../../../test/support/temporary-folder.js';
import type { TransferList } from '../transfer.contract.js';

const HOUR_MS = 3_600_000;
const CLAIM = 'https://am.ticketmaster.com/claim/48213';
const HOLDER = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' };
const SENT = { source: 'ticketmaster', confirmation_number: 'TM-1', claim_url: CLAIM, holder: HOLDER };

let api: TestApi;
let purchases = 0;

beforeAll(async () => {
  api = await startTestApi({ FILES_DIR: temporaryFolder('proofs') });
  await api.staff.putListing('lst-1', { quantity: 500, seller: 'Front Row', tax_rate: 0, tax_rates: {} });
});
// After all tests the tables must agree with the log.
afterAll(async () => {
  const proof = await loadLedgerProof(api.pool, api.app.get(Sealer), []);
  expect((await verify(api.pool, proof)).differences).toEqual([]);
  await api.close();
});

function bought(type: 'transfer' | 'will_call' | 'ship' = 'transfer'): Promise<string> {
  purchases += 1;
  const body = cardBody();
  const { data, total } = {
    ship: { data: body.delivery_method.data, total: 235.07 },
    transfer: { data: { email: 'ada@example.com' }, total: 221.5 },
    will_call: { data: { first_name: 'Ada', last_name: 'Lovelace' }, total: 220 },
  }[type];
  const payment = { ...body.payment, total };
  return api.payment.bought({ ...body, ref_id: `transfer-${purchases}`, payment, delivery_method: { type, data } });
}
const send = (id: string, change: object = {}) =>
  api.staff.send('POST', `orders/${id}/transfers`, { ...SENT, ...change });
const answer = (id: string, transfer: string, state: string, at?: string) =>
  api.staff.send('POST', `orders/${id}/transfers/${transfer}/state`, { state, ...(at !== undefined && { at }) });
const listed = async (id: string) => ((await api.staff.get(`orders/${id}/transfers`)).body as TransferList).transfers;
const detail = async (id: string, query = '') => (await api.staff.get(`orders/${id}${query}`)).body as OrderDetail;
const purchase = async (id: string) => (await api.payment.read(id)).body as { fulfillment: unknown };
const report = (kind: string, id: string, change: object = {}) =>
  api.staff.send('POST', 'delivery-reports', { kind, order_id: id, ...change });

describe('transfers', () => {
  it('deliver an order with the last seat, show the platform the claim address, and are one when sent twice', async () => {
    const id = await bought();
    const first = await send(id, { seats: ['2'] });
    expect([first.status, (await detail(id)).delivery]).toMatchObject([
      201,
      {
        type: 'transfer',
        next_action: 'transfer',
        acts: 'seller',
        seats: [{ transfer: null }, { transfer: { seat: '2' } }],
      },
    ]);
    expect(await purchase(id)).toMatchObject({ fulfillment: null });
    const all = await send(id);
    expect([all.status, (all.body as TransferList).transfers.map(({ seat }) => seat)]).toEqual([201, ['1', '2']]);
    expect(await purchase(id)).toMatchObject({
      status: { status_code: 2004 },
      fulfillment: { type: 'download', data: { url: CLAIM } },
    });
    const again = await send(id);
    expect([again.status, again.body]).toEqual([200, all.body]);
    expect(codesOf(await send(id, { confirmation_number: 'TM-2' }))).toEqual([40902]);
    const { version } = await detail(id);
    expect(await detail(id, `?version=${version}`)).toMatchObject({ delivery: (await detail(id)).delivery });
    expect((await detail(id)).delivery).toMatchObject({ next_action: 'wait_for_acceptance', acts: 'buyer' });
  });

  it('that are declined or expired make a problem until they are sent again', async () => {
    const id = await bought();
    await send(id);
    const [one, two] = await listed(id);
    const declined = await answer(id, one?.id ?? '', 'declined');
    expect(declined.body).toMatchObject({ state: 'declined', declined_at: expect.any(String) as string });
    expect(await purchase(id)).toMatchObject({ status: { status_code: 4003 }, fulfillment: null });
    const { delivery, updated_at: at } = await detail(id);
    expect(delivery).toMatchObject({ next_action: 'retransfer', acts: 'seller' });
    expect(Date.parse(delivery.due_at ?? '') - Date.parse(at)).toBe(4 * HOUR_MS);
    expect((await answer(id, one?.id ?? '', 'declined')).status).toBe(200);
    expect(codesOf(await answer(id, one?.id ?? '', 'accepted'))).toEqual([40901]);
    expect((await send(id, { seats: ['1'], confirmation_number: 'TM-2' })).status).toBe(201);
    expect(await purchase(id)).toMatchObject({ status: { status_code: 2004 } });
    await answer(id, two?.id ?? '', 'accepted');
    await report('transfer_accepted', id);
    expect((await detail(id)).delivery).toMatchObject({ next_action: 'done', acts: 'nobody', due_at: null });
    expect((await listed(id)).map(({ state }) => state)).toEqual(['declined', 'accepted', 'accepted']);
  });

  it.each([
    [{ seats: ['1', '9'] }, 'seats[1]'],
    [{ seats: ['1', '1'] }, 'seats[1]'],
    [{ source: 'nobody' }, 'source'],
    [{ claim_url: 'ftp://x.example' }, 'claim_url'],
  ])('with %j are refused and leave nothing behind', async (change, field) => {
    const id = await bought();
    const refused = await send(id, change);
    expect(codesOf(refused)).toEqual([40001]);
    expect(messagesOf(refused)[0]).toContain(field);
    expect(await listed(id)).toEqual([]);
  });

  it('are for no parcel, no box office and no order that is over', async () => {
    for (const type of ['ship', 'will_call'] as const) expect(codesOf(await send(await bought(type)))).toEqual([40901]);
    const id = await bought();
    await api.staff.changeStatus(id, 3010);
    expect(codesOf(await send(id))).toEqual([40901]);
    expect(codesOf(await send('ord_0'))).toEqual([40400]);
    const future = new Date(Date.now() + HOUR_MS).toISOString();
    expect(messagesOf(await answer(id, 'tra_0', 'accepted', future))[0]).toContain('at');
  });

  it('keep the holder sealed: masked for people, gone after an erasure', async () => {
    const id = await bought();
    await send(id);
    const operations = await signIn(api, ['operations']);
    const { transfers } = (await operations.get(`orders/${id}/transfers`)).body as TransferList;
    expect(transfers[0]).toMatchObject({ holder: { email: 'a••@example.com' }, claim_url: 'h••' });
    const { rows } = await api.pool.query<{ log: string }>(
      `select string_agg(data::text, '') as log from events where stream = 'order-' || $1`,
      [id],
    );
    expect(rows[0]?.log).not.toMatch(/claim\/48213|Lovelace/);
    await api.staff.send('DELETE', `orders/${id}/personal-data`);
    expect((await listed(id))[0]).toMatchObject({ holder: null, claim_url: null, state: 'sent' });
    expect(await purchase(id)).toMatchObject({ fulfillment: null });
  });

  it('are announced to the buyer by e-mail', async () => {
    const id = await bought();
    await send(id);
    const { body } = await api.staff.send('POST', `orders/${id}/mails/preview`, { kind: 'transfer' });
    const { text } = body as { text: string };
    expect(text).toContain(
      `wait for you at Ticketmaster. Please accept them there.\n\nAccept your tickets: ${CLAIM}\nThe number of the transfer is TM-1.`,
    );
  });

  it('have proofs, which only staff open', async () => {
    const id = await bought();
    await send(id);
    const [one] = await listed(id);
    const path = `${api.url}/backoffice/v1/orders/${id}/transfers/${one?.id ?? ''}/proof`;
    const headers = { authorization: `Bearer ${STAFF_TOKEN}` };
    const prove = async (content: Buffer, name: string) => {
      const sent = await fetch(path, { method: 'POST', headers, body: formOf([{ name, content }]) });
      return [sent.status, ((await sent.json()) as { proof?: { id: string; name: string } }).proof] as const;
    };
    const first = await prove(PNG, 'screen.png');
    expect(first).toMatchObject([201, { name: 'screen.png', type: 'image/png' }]);
    expect(await prove(PNG, 'screen.png')).toEqual([200, first[1]]);
    expect(await prove(PDF, 'mail.pdf')).toMatchObject([201, { type: 'application/pdf' }]);
    expect((await listed(id))[0]?.proof).toMatchObject({ name: 'mail.pdf' });
    const opened = await fetch(path, { headers });
    expect(Buffer.from(await opened.arrayBuffer())).toEqual(PDF);
    const { body } = await api.staff.get(`orders/${id}/timeline`);
    expect(JSON.stringify(body)).toMatch(/"kind":"download"/);
  });
});

describe('the clock of an acceptance', () => {
  it('is the same in document, search and queues, and expires the transfer when it lapses', async () => {
    const id = await bought();
    await send(id);
    const { delivery } = await detail(id);
    const where = {
      and: [
        { field: 'next_action', op: '=', value: 'wait_for_acceptance' },
        { field: 'id', op: '=', value: id },
      ],
    };
    const found = await api.staff.send('POST', 'orders/search', { where });
    expect((found.body as { orders: OrderDetail[] }).orders[0]?.delivery).toEqual({
      type: 'transfer',
      next_action: 'wait_for_acceptance',
      acts: 'buyer',
      due_at: delivery.due_at,
    });
    const metadata = { transaction_id: 'lapse', actor: 'system:transfer' };
    const { version: expectedVersion } = await detail(id);
    const lapse = { type: 'ExpireTransfers', expectedVersion, at: delivery.due_at ?? '' } as const;
    await api.app.get(OrderChanges, { strict: false }).apply(id, lapse, metadata);
    expect(await detail(id)).toMatchObject({ status: { status_code: 4003 }, delivery: { next_action: 'retransfer' } });
    expect((await listed(id)).map(({ state }) => state)).toEqual(['expired', 'expired']);
  });
});

describe('reports from outside', () => {
  it('move the order once, and are ignored where they come late or are about nothing of it', async () => {
    const id = await bought();
    await send(id);
    const outcome = async (kind: string, change: object = {}) => (await report(kind, id, change)).body;
    expect(await outcome('transfer_accepted', { seat: '9' })).toMatchObject({ ignored: true });
    expect(await outcome('transfer_accepted', { seat: '1', confirmation_number: 'TM-0' })).toMatchObject({
      ignored: true,
    });
    expect(await outcome('transfer_accepted', { seat: '1' })).toEqual({
      orders: [{ order_id: id, moved: true, status_code: 2004 }],
      ignored: false,
    });
    expect(await outcome('transfer_declined', { seat: '1' })).toMatchObject({ ignored: true });
    expect(await outcome('transfer_declined')).toMatchObject({ orders: [{ status_code: 4003 }], ignored: false });
    expect(codesOf(await report('barcode_refused', id))).toEqual([40001]);
    expect(codesOf(await report('transfer_accepted', 'ord_0'))).toEqual([40400]);
    const pickUp = await bought('will_call');
    expect((await detail(pickUp)).delivery).toMatchObject({ next_action: 'wait_for_pickup', acts: 'buyer' });
    expect((await report('picked_up', pickUp)).body).toMatchObject({ orders: [{ status_code: 2003 }] });
  });
});

it('the list of sources is data', async () => {
  const { sources } = (await api.staff.get('transfer-sources')).body as { sources: { id: string; name: string }[] };
  expect(sources.map(({ id }) => id)).toEqual(
    'ticketmaster axs seatgeek mlb paciolan tickets_com dice email other'.split(' '),
  );
  const put = await api.staff.send('PUT', 'transfer-sources', {
    sources: [...sources, { id: 'own', name: 'Our app' }],
  });
  expect(put.body).toMatchObject({ sources: { 9: { id: 'own' } } });
});
