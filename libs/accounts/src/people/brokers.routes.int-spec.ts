import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { QueueList } from '#desk/queue.contract';
import { DatabaseClock } from '#database/database-clock';
import { fillWorkItems } from '#desk/work-item-filling';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { type Answer, call, codesOf } from '../../../../test/support/callers.js';
import { checkoutListing } from '../../../../test/support/listing-body.js';
import { broken } from '../../../../test/support/broken.js';
import { signIn, type SignedIn } from '../../../../test/support/operators.js';
import { wholesaleBody } from '../../../../test/support/purchase-bodies.js';

let api: TestApi;
let front: SignedIn['send'];
const orders: Record<string, string> = {};

beforeAll(async () => {
  api = await startTestApi();
  ({ send: front } = await signIn(api, ['broker'], ['Front Row']));
  for (const [id, seller] of [
    ['front-1', 'Front Row'],
    ['back-1', 'Back Row'],
    ['none-1', undefined],
  ] as const) {
    await api.staff.putListing(id, seller ? { seller } : {});
    orders[id] = await api.wholesale.bought(broken(wholesaleBody(), { ref_id: id, 'product.listing_id': id }));
  }
});
afterAll(() => api.close());

const ids = ({ body }: Answer, key: 'orders' | 'listings', id: string) =>
  (body as Record<string, Record<string, unknown>[]>)[key]?.map((row) => row[id]);

describe('a broker', () => {
  it('finds and counts the orders of own sellers only', async () => {
    expect(ids(await front('GET', 'orders'), 'orders', 'id')).toEqual([orders['front-1']]);
    expect((await front('GET', 'orders/count')).body).toEqual({ count: 1 });
    const all = { where: { not: { field: 'id', op: '=', value: 'none' } } };
    expect(ids(await front('POST', 'orders/search', all), 'orders', 'id')).toEqual([orders['front-1']]);
    expect(ids(await front('GET', 'listings'), 'listings', 'listing_id')).toEqual(['front-1']);
  });

  it('gets 404 for an order or a listing of another seller, or of none, as if it did not exist', async () => {
    expect((await front('GET', `orders/${orders['front-1']}`)).status).toBe(200);
    expect((await front('GET', 'listings/front-1')).status).toBe(200);
    const unknown = await front('GET', 'orders/ord_none');
    for (const listing of ['back-1', 'none-1']) {
      const order = await front('GET', `orders/${orders[listing]}`);
      expect([order.status, order.text]).toEqual([404, unknown.text]);
      expect((await front('GET', `orders/${orders[listing]}/events`)).status).toBe(404);
      expect((await front('POST', `orders/${orders[listing]}/status`, { status_code: 3004 })).status).toBe(404);
      expect((await front('GET', `listings/${listing}`)).status).toBe(404);
      expect((await front('DELETE', `listings/${listing}`)).status).toBe(404);
      expect((await front('PUT', `listings/${listing}`, checkoutListing())).status).toBe(404);
    }
  });

  it('sells for own sellers only; the only one need not be named', async () => {
    const put = (id: string, seller?: string) =>
      front('PUT', `listings/${id}`, { ...checkoutListing(), ...(seller && { seller }) });
    expect((await put('front-2')).body).toMatchObject({ seller: 'Front Row' });
    const refused = await put('front-3', 'Back Row');
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('seller: must be one of Front Row')]);
  });

  it('imports own listings; lines of others are reported and change nothing', async () => {
    const line = (id: string, seller: string) => JSON.stringify({ listing_id: id, ...checkoutListing(), seller });
    const lines = [line('front-4', 'Front Row'), line('front-5', 'Back Row'), line('back-1', 'Front Row')];
    const report = await front('POST', 'listings/import', lines.join('\n'), { 'content-type': 'application/x-ndjson' });
    expect(report.body).toMatchObject({ imported: 1, failed: 2, errors: [{ line: 2 }, { line: 3 }] });
    expect((await api.staff.send('GET', 'listings/back-1')).body).toMatchObject({ seller: 'Back Row' });
  });

  it('gets a new listing id, or 404: of two brokers at once one owns it', async () => {
    const { send: side } = await signIn(api, ['broker'], ['Side']);
    const put = async (send: SignedIn['send'], id: string) =>
      (await send('PUT', `listings/${id}`, checkoutListing())).status;
    for (let pair = 0; pair < 10; pair += 1) {
      const id = `pair-${pair}`;
      const [one, other] = await Promise.all([put(front, id), put(side, id)]);
      expect(new Set([one, other])).toEqual(new Set([200, 404]));
      const seller = one === 200 ? 'Front Row' : 'Side';
      expect((await api.staff.send('GET', `listings/${id}`)).body).toMatchObject({ seller, version: 1 });
    }
  });

  it('imports a new listing id, or is told that it is taken: of two brokers at once one owns it', async () => {
    const { send: side } = await signIn(api, ['broker'], ['Side']);
    const lines = Array.from({ length: 20 }, (_, n) =>
      JSON.stringify({ listing_id: `both-${n}`, ...checkoutListing() }),
    ).join('\n');
    const type = { 'content-type': 'application/x-ndjson' };
    const reports = await Promise.all(
      [front, side].map(async (send) => (await send('POST', 'listings/import', lines, type)).body),
    );
    expect(reports).toContainEqual({ imported: 20, failed: 0, errors: [] });
    expect(reports).toContainEqual(expect.objectContaining({ imported: 0, failed: 20 }));
    expect(JSON.stringify(reports)).toContain('listing_id: is already taken');
  });

  it('see in a dry run which lines would be refused', async () => {
    const line = (id: string, seller: string) => JSON.stringify({ listing_id: id, ...checkoutListing(), seller });
    const lines = [line('front-dry', 'Front Row'), line('back-1', 'Front Row')].join('\n');
    const type = { 'content-type': 'application/x-ndjson' };
    const report = await front('POST', 'listings/import?dry_run=true', lines, type);
    expect(report.body).toMatchObject({ imported: 1, created: 1, failed: 1, errors: [{ line: 2 }] });
    expect((await front('GET', 'listings/front-dry')).status).toBe(404);
  });

  it('change some fields of own listings, and cannot give them away', async () => {
    expect((await front('PATCH', 'listings/front-2', { price: 71 })).body).toMatchObject({ price: 71 });
    const away = await front('PATCH', 'listings/front-2', { seller: 'Back Row' });
    expect([away.status, away.text]).toEqual([400, expect.stringContaining('seller: must be one of Front Row')]);
    expect((await front('PATCH', 'listings/back-1', { price: 1 })).status).toBe(404);
  });

  it('cannot change what all sellers share', async () => {
    const answer = await front('PUT', 'catalogue/genres/1', { name: 'Jazz' });
    expect([answer.status, codesOf(answer)]).toEqual([403, [40300]]);
  });

  it('without sellers sees nothing; with another role beside it everything', async () => {
    const { send: nobody } = await signIn(api, ['broker']);
    expect((await nobody('GET', 'orders/count')).body).toEqual({ count: 0 });
    const { send: everybody } = await signIn(api, ['broker', 'viewer'], ['Front Row']);
    expect((await everybody('GET', 'orders/count')).body).toEqual({ count: 3 });
  });
});

describe('what staff record for each other', () => {
  it('is read by no broker, wherever orders are shown', async () => {
    await api.staff.putListing('remarked', { seller: 'Remarked' });
    const broker = await signIn(api, ['broker'], ['Remarked']);
    const body = broken(wholesaleBody(), { ref_id: 'remarked', 'product.listing_id': 'remarked' });
    const id = await api.wholesale.bought(body);
    const support = await signIn(api, ['support']);
    await support.send('PUT', `orders/${id}/tags`, ['Staff tag']);
    const assignee = await signIn(api, ['support']);
    await support.send('PUT', `orders/${id}/assignee`, { operator_id: assignee.id });
    await support.send('POST', `orders/${id}/status`, { status_code: 4006, note: 'Staff note' });
    await broker.send('POST', `orders/${id}/status`, { status_code: 2000, note: 'Broker note' });
    await support.send('POST', `orders/${id}/notes`, { text: 'Staff note beside' });
    const [buyer, tagged] = [
      { field: 'email', op: '=', value: 'staff@example.com' },
      { field: 'tag', op: '=', value: 'Staff tag' },
    ];
    const any = { not: { field: 'event_id', op: '=', value: 'Staff value' } };
    for (const [name, where] of Object.entries({ 'Of a buyer': buyer, Tagged: { not: tagged }, Plain: any })) {
      expect((await support.send('POST', 'views', { name: `Staff ${name}`, where, shared: true })).status).toBe(201);
      const due = { field: 'placed_at', minutes: 5 };
      expect((await support.send('POST', 'queues', { name, where, due })).status).toBe(201);
    }
    await fillWorkItems(api.pool, api.app.get(DatabaseClock));
    const { queues } = (await broker.get('queues')).body as QueueList;
    const plain = queues.filter(({ built_in }) => !built_in);
    expect(plain).toMatchObject([
      { name: 'Of a buyer', where: null, count: 0 },
      { name: 'Plain', where: null, count: 1 },
    ]);

    const shown = ['', '?version=4', '/changes?from=1&to=4', '/events', '/timeline', '/notes', '/mails', '/actions'];
    const paths = [...shown.map((path) => `orders/${id}${path}`), 'orders', 'queues', 'views', 'queues/to_ship/orders'];
    const answers = await Promise.all([
      ...[...paths, `queues/${plain[1]?.id}/orders`].map((path) => broker.get(path)),
      broker.send('POST', 'orders/search', { where: { field: 'id', op: '=', value: id } }),
      broker.send('PUT', `orders/${id}/snooze`, { until: null }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const texts = answers.map(({ text }) => text);
    expect(
      texts.filter((text) => /staff (note|tag|value|of|plain)|staff@/i.test(text) || text.includes(assignee.id)),
    ).toEqual([]);
    expect(texts.filter((text) => text.includes('Broker note')).length).toBeGreaterThan(3);
    expect((await broker.get(`orders/${id}/events`)).text.match(/"sealed_note"/g)).toHaveLength(1);
    const ofStaff = await support.get(`orders/${id}`);
    expect(ofStaff.body).toMatchObject({ tags: ['Staff tag'], assignee: assignee.id });
    expect(ofStaff.text).toContain('Staff note');
  });

  it('is nothing that brokers may ask for; the views of staff are not theirs either', async () => {
    const { send } = await signIn(api, ['broker'], ['Front Row']);
    const tag = { field: 'tag', op: '=', value: 'vip' };
    const assignee = { or: [{ not: { field: 'assignee', op: 'is_null' } }, { field: 'id', op: '=', value: 'x' }] };
    for (const where of [tag, { not: tag }, assignee]) {
      expect(codesOf(await send('POST', 'orders/search', { where }))).toEqual([40300]);
      expect(codesOf(await send('POST', 'views', { name: 'Mine', where }))).toEqual([40300]);
    }
    const { body } = await api.staff.send('POST', 'views', { name: 'All', shared: true });
    const { id } = body as { id: string };
    expect((await send('PUT', `views/${id}`, { name: 'Mine' })).status).toBe(404);
    expect((await send('DELETE', `views/${id}`)).status).toBe(404);
    const own = (await send('POST', 'views', { name: 'Mine', q: 'front' })).body as object;
    expect((await send('GET', 'views')).body).toEqual({ views: [own] });
    const queue = { name: 'Tagged', where: tag, due: { field: 'placed_at', minutes: 5 } };
    const tagged = (await api.staff.send('POST', 'queues', queue)).body as { id: string };
    expect(codesOf(await send('GET', `queues/${tagged.id}/orders`))).toEqual([40300]);
  });
});

it('shows the seller of a listing and keeps it in the purchase', async () => {
  const { events } = (await api.staff.send('GET', `orders/${orders['front-1']}/events`)).body as {
    events: { data: object }[];
  };
  expect(events[0]?.data).toMatchObject({ seller: 'Front Row' });
  expect((await call(`${api.url}/backoffice/v1/listings`, 'GET')).status).toBe(401);
});
