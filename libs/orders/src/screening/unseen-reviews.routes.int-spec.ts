import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { QueueList } from '#desk/queue.contract';
import { DatabaseClock } from '#database/database-clock';
import { fillWorkItems } from '#desk/work-item-filling';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { broken } from '../../../../test/support/broken.js';
import { call } from '../../../../test/support/callers.js';
import { signIn, type SignedIn } from '../../../../test/support/operators.js';
import { wholesaleBody } from '../../../../test/support/purchase-bodies.js';

const REF_ID = 'ref-of-a-review';
const TRANSACTION = 'tx-of-a-review';

let api: TestApi;
let broker: SignedIn;
let token: string;
let id: string;
beforeAll(async () => {
  api = await startTestApi();
  broker = await signIn(api, ['broker'], ['Front Row']);
  const scopes = ['orders:read', 'orders:act', 'orders:note', 'listings:read'];
  const made = await api.staff.send('POST', 'tokens', { name: 'feed', scopes, sellers: ['Front Row'] });
  ({ token } = made.body as { token: string });
  await api.staff.putListing('lst-1', { quantity: 9, seller: 'Front Row', confirmation: 'manual' });
  const due = { field: 'placed_at', minutes: 0 };
  const where = { field: 'quantity', op: '>', value: 0 };
  await api.staff.send('POST', 'queues', { name: 'Any', where, due });
  const rules = [{ name: 'All', where }];
  expect((await api.staff.send('PUT', 'fraud-rules', { rules })).status).toBe(200);
  const body = broken(wholesaleBody(), { ref_id: REF_ID, 'product.listing_id': 'lst-1' });
  ({ id } = (await api.wholesale.buy(body, { 'x-xx-transaction-id': TRANSACTION })).body as { id: string });
  await fillWorkItems(api.pool, api.app.get(DatabaseClock));
});
afterAll(() => api.close());

/** All routes that read something of the back office, as their addresses in this test. */
async function addresses(): Promise<Map<string, string[]>> {
  const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, { security?: Record<string, unknown>[] }>>;
  };
  const { queues } = (await api.staff.get('queues')).body as QueueList;
  const routes = Object.entries(paths)
    .filter(([, { get }]) => get?.security?.some((scheme) => 'staff' in scheme))
    .map(([path]) => path.replace('/backoffice/v1/', ''))
    // The answer has no end; `libs/orders/src/live` reads it.
    .filter((path) => !path.endsWith('/live'));
  return new Map(
    routes.map((route) => {
      const path = route.replace('{event_id}', '5512').replace('{listing_id}', 'lst-1').replace('{ticket_id}', 'x');
      const ids = route.startsWith('queues/') ? queues.map((queue) => queue.id) : [id];
      const asked = route === 'orders' ? [`q=${REF_ID}`, ''] : [QUERIES[route] ?? ''];
      const full = path.replace('{report}', 'sellers').replace('{transaction_id}', TRANSACTION);
      return [route, ids.flatMap((one) => asked.map((query) => `${full.replace('{id}', one)}?${query}`))];
    }),
  );
}

const QUERIES: Readonly<Record<string, string>> = {
  'orders/{id}/changes': 'from=1&to=2',
  'events/venues': 'q=hall',
  'events/names': 'ids=5512',
};

/** The routes that tell the caller of the order. */
async function tellingOf(get: (path: string) => Promise<Readonly<{ text: string; status: number }>>) {
  const telling: string[] = [];
  for (const [route, paths] of await addresses()) {
    const answers = await Promise.all(paths.map(get));
    const own = answers.filter(({ status }) => status < 300);
    const isAbout = own.some(
      ({ text }) => route.startsWith('orders/{id}') || [id, REF_ID].some((one) => text.includes(one)),
    );
    if (isAbout) telling.push(route);
  }
  return telling;
}

const byToken = (path: string) =>
  call(`${api.url}/backoffice/v1/${path}`, 'GET', undefined, { authorization: `Bearer ${token}` });

const OF_AN_ORDER = [
  '',
  '/actions',
  '/barcodes',
  '/changes',
  '/events',
  '/mails',
  '/notes',
  '/people',
  '/presence',
  '/queue',
  '/refunds',
  '/tickets',
  '/timeline',
  '/transfers',
];
const OF_ITS_BUYER = ['buyers/{id}', 'buyers/{id}/orders'];

describe('an order under review', () => {
  it('is told of by no route to the broker and the token of its seller, and by these once the review is over', async () => {
    expect(await tellingOf((path) => broker.get(path))).toEqual([]);
    expect(await tellingOf(byToken)).toEqual([]);
    expect((await api.staff.send('POST', `orders/${id}/approve`)).status).toBe(200);
    await fillWorkItems(api.pool, api.app.get(DatabaseClock));
    const shown = [
      'orders',
      'queues/{id}/orders',
      ...OF_ITS_BUYER,
      ...OF_AN_ORDER.map((path) => `orders/{id}${path}`),
    ].toSorted();
    expect((await tellingOf((path) => broker.get(path))).toSorted()).toEqual(shown);
    expect((await tellingOf(byToken)).toSorted()).toEqual(shown);
  });
});
