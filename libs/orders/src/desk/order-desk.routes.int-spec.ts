import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { codesOf } from '../../../../test/support/callers.js';
import { type SignedIn, signIn } from '../../../../test/support/operators.js';
import { everythingStored } from '../../../../test/support/postgres/table-state.js';
import { cardBody, wholesaleBody } from '../../../../test/support/purchase-bodies.js';
import type { AuditPage } from '#accounts/audit.contract';
import type { OrderDetail } from '../order.contract.js';
import type { OrderNote, OrderNoteList } from '../order-desk.contract.js';

let api: TestApi;
let orderId: string;
let support: SignedIn;
let broker: SignedIn;

beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1', { quantity: 100, seller: 'seller-1' });
  orderId = await api.payment.bought(cardBody());
  support = await signIn(api, ['support']);
  broker = await signIn(api, ['broker'], ['seller-1']);
});
afterAll(() => api.close());

const order = async () => (await api.staff.get(`orders/${orderId}`)).body as OrderDetail;
const notes = async (who: Pick<SignedIn, 'get'>, id = orderId) => {
  return ((await who.get(`orders/${id}/notes`)).body as OrderNoteList).notes.map(({ text }) => text);
};
const audited = async (action: string) => {
  const { body } = await api.staff.get(`audit?subject=order:${orderId}&action=${action}`);
  return (body as AuditPage).entries.map(({ actor, detail }) => ({ actor, ...detail }));
};

describe('tags and assignee', () => {
  it("do not raise the order's version", async () => {
    const before = await order();
    expect(before).toMatchObject({ tags: [], assignee: null, assignee_name: null });
    const tagged = await support.send('PUT', `orders/${orderId}/tags`, ['vip', ' call back ', 'vip']);
    expect([tagged.status, tagged.body]).toMatchObject([200, { tags: ['vip', 'call back'], assignee: null }]);
    const assigned = await support.send('PUT', `orders/${orderId}/assignee`, { operator_id: support.id });
    expect([assigned.status, assigned.headers.get('etag')]).toEqual([200, `"${before.version}"`]);
    expect(await order()).toMatchObject({
      version: before.version,
      updated_at: before.updated_at,
      tags: ['vip', 'call back'],
      assignee: support.id,
      assignee_name: support.name,
    });
    const listed = (await api.staff.get('orders')).body as { orders: object[] };
    expect(listed.orders).toMatchObject([{ tags: ['vip', 'call back'], assignee: support.id }]);
    await support.send('PUT', `orders/${orderId}/tags`, []);
    await support.send('PUT', `orders/${orderId}/assignee`, { operator_id: null });
    expect(await order()).toMatchObject({ tags: [], assignee: null });
    expect(await audited('order.tagged')).toEqual([
      { actor: `operator:${support.id}`, tags: [] },
      { actor: `operator:${support.id}`, tags: ['vip', 'call back'] },
    ]);
    expect(await audited('order.assigned')).toMatchObject([{ assignee: null }, { assignee: support.id }]);
  });

  it('are not overwritten by somebody who saw an earlier state', async () => {
    const { desk_version: seen } = await order();
    const match = (version: number) => ({ 'if-match': `"${version}"` });
    const first = await support.send('PUT', `orders/${orderId}/tags`, ['mine'], match(seen));
    expect([first.status, first.body]).toMatchObject([200, { tags: ['mine'], desk_version: seen + 1 }]);
    const late = await api.staff.send('PUT', `orders/${orderId}/tags`, ['theirs'], match(seen));
    expect(codesOf(late)).toEqual([41201]);
    const assignee = { operator_id: support.id };
    expect(codesOf(await api.staff.send('PUT', `orders/${orderId}/assignee`, assignee, match(seen)))).toEqual([41201]);
    expect(await order()).toMatchObject({ tags: ['mine'], assignee: null });
    const fresh = await api.payment.bought({ ...cardBody(), ref_id: 'untouched' });
    expect(codesOf(await api.staff.send('PUT', `orders/${fresh}/tags`, ['x'], match(3)))).toEqual([41201]);
    const both = ['a', 'b'].map((tag) => api.staff.send('PUT', `orders/${fresh}/tags`, [tag], match(0)));
    const outcomes = (await Promise.all(both)).map(({ status }) => status);
    expect(outcomes.toSorted((a, b) => a - b)).toEqual([200, 412]);
  });

  it('can be given to active operators, whom brokers do not see', async () => {
    expect((await support.get('assignees')).body).toEqual({
      assignees: expect.arrayContaining([{ id: support.id, name: support.name }]),
    });
    expect(codesOf(await broker.get('assignees'))).toEqual([40300]);
  });

  it.each([
    ['tags', {}, 40001],
    ['tags', [''], 40001],
    ['tags', ['x'.repeat(51)], 40001],
    ['tags', [1], 40001],
    ['assignee', {}, 40001],
    ['assignee', { operator_id: 'opr_unknown' }, 40001],
    ['assignee', 'nobody', 40000],
  ])('%s %j is answered %i', async (path, body, code) => {
    expect(codesOf(await api.staff.send('PUT', `orders/${orderId}/${path}`, body))).toEqual([code]);
  });

  it('are not for brokers, nor for orders that do not exist', async () => {
    for (const [path, body] of [
      ['tags', []],
      ['assignee', { operator_id: null }],
    ] as const) {
      expect(codesOf(await broker.send('PUT', `orders/${orderId}/${path}`, body))).toEqual([40300]);
      expect(codesOf(await api.staff.send('PUT', `orders/ord_unknown/${path}`, body))).toEqual([40400]);
    }
  });
});

describe('notes', () => {
  it('are read by colleagues, and by brokers only if they are for partners', async () => {
    const version = (await order()).version;
    const internal = await support.send('POST', `orders/${orderId}/notes`, { text: 'She sounded angry.' });
    expect([internal.status, internal.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^not_/),
        at: expect.any(String),
        author: `operator:${support.id}`,
        author_name: support.name,
        visibility: 'internal',
        text: 'She sounded angry.',
        mentions: [],
      },
    ]);
    const partner = { text: 'Please send the seats again.', visibility: 'partner' };
    expect((await support.send('POST', `orders/${orderId}/notes`, partner)).status).toBe(201);
    expect(await notes(support)).toEqual(['She sounded angry.', 'Please send the seats again.']);
    expect(await notes(broker)).toEqual(['Please send the seats again.']);
    expect((await order()).version).toBe(version);
  });

  it('of a broker are for partners', async () => {
    for (const visibility of ['internal', 'partner', undefined]) {
      const text = `Sent, ${visibility}.`;
      const sent = await broker.send('POST', `orders/${orderId}/notes`, { text, visibility });
      expect([sent.status, sent.body]).toEqual([201, expect.objectContaining({ visibility: 'partner' })]);
      expect(await notes(broker)).toContain(text);
    }
  });

  it('are stored sealed, and end with the data of the buyer', async () => {
    expect(await everythingStored(api.pool)).not.toContain('She sounded angry.');
    expect((await api.staff.send('DELETE', `orders/${orderId}/personal-data`)).status).toBe(200);
    expect(new Set(await notes(support))).toEqual(new Set([null]));
    await support.send('POST', `orders/${orderId}/notes`, { text: 'Everything is erased.' });
    expect((await notes(support)).at(-1)).toBe('Everything is erased.');
    const { product } = wholesaleBody();
    const without = await api.wholesale.bought({ product });
    await support.send('POST', `orders/${without}/notes`, { text: 'An order without a buyer.' });
    expect(await notes(support, without)).toEqual(['An order without a buyer.']);
    expect(await everythingStored(api.pool)).not.toContain('An order without a buyer.');
  });

  it('of one order do not open at another', async () => {
    const other = await api.payment.bought({ ...cardBody(), ref_id: 'other' });
    const { body } = await support.send('POST', `orders/${other}/notes`, { text: 'Mine.' });
    const third = await api.payment.bought({ ...cardBody(), ref_id: 'third' });
    await api.pool.query('update order_notes set order_id = $2 where id = $1', [(body as OrderNote).id, third]);
    expect(await notes(support, third)).toEqual([null]);
  });

  it.each([
    [{}, 40001],
    [{ text: '  ' }, 40001],
    [{ text: 'x', visibility: 'public' }, 40001],
    [{ text: 'x', by: 'me' }, 40001],
  ])('%j is answered %i', async (body, code) => {
    expect(codesOf(await api.staff.send('POST', `orders/${orderId}/notes`, body))).toEqual([code]);
  });

  it('need the permission, and an order', async () => {
    const viewer = await signIn(api, ['viewer']);
    expect(codesOf(await viewer.send('POST', `orders/${orderId}/notes`, { text: 'x' }))).toEqual([40300]);
    expect(codesOf(await support.send('POST', 'orders/ord_unknown/notes', { text: 'x' }))).toEqual([40400]);
    expect(codesOf(await support.get('orders/ord_unknown/notes'))).toEqual([40400]);
  });
});
