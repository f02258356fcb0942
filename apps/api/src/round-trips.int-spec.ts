import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../test/support/api.js';
import { type Answer, codesOf } from '../../../test/support/callers.js';
import { type SignedIn, signIn } from '../../../test/support/operators.js';
import { cardBody } from '../../../test/support/purchase-bodies.js';

let api: TestApi;
let admin: SignedIn;
let orderId: string;

beforeAll(async () => {
  api = await startTestApi();
  admin = await signIn(api, ['administrator']);
  await api.staff.putListing('lst-1', {
    quantity: 100,
    seats: ['1'],
    confirmation: 'manual',
    speculative: true,
    delivery_methods: [{ type: 'ship', name: 'Courier', form: 'label', cost: 15.07, costs: { US: 15.07 } }],
  });
  orderId = await api.payment.bought(cardBody());
});
afterAll(() => api.close());

type Json = Readonly<Record<string, unknown>>;
const read = async (path: string): Promise<Json> => (await admin.get(path)).body as Json;
const where = { field: 'quantity', op: '>', value: 3 };
const isObject = (shown: Json | readonly unknown[]): shown is Json => !Array.isArray(shown);

/** The last of the list that an earlier request has added. */
const lastOf = async (path: string, key: string) => ((await read(path))[key] as Json[]).at(-1) ?? {};

type Resource = Readonly<{
  /** Makes one, if there is none yet. Returns the path that is PUT to. */
  make?: () => Promise<string>;
  /** What GET shows of it. */
  get: (path: string) => Promise<Json | readonly unknown[]>;
  /** Without what changes with each PUT. */
  lasting?: (shown: Json) => unknown;
}>;

const withoutVersion = ({ version: _version, updated_at: _at, ...rest }: Json) => rest;

const catalogueEntry = (kind: string, body: object): Resource => ({
  make: async () => {
    const path = `catalogue/${kind}/77`;
    const made = await admin.send('PUT', path, body);
    expect(made.status, made.text).toBe(200);
    return path;
  },
  get: read,
});

/** By the path of the OpenAPI document. */
const RESOURCES: Readonly<Record<string, Resource>> = {
  policies: {
    make: async () => {
      const policies = [
        { name: 'p', action: 'deny', reason: 'price_error', where },
        { name: 'q', action: 'accept', where },
      ];
      await admin.send('PUT', 'policies', { policies });
      return 'policies';
    },
    get: read,
    lasting: withoutVersion,
  },
  'fraud-rules': {
    make: async () => {
      const rules = [
        { name: 'r', where, score: 20, enabled: false },
        { name: 's', where, action: 'reject', enabled: false },
      ];
      await admin.send('PUT', 'fraud-rules', { rules });
      return 'fraud-rules';
    },
    get: read,
    lasting: withoutVersion,
  },
  'status-catalogue': {
    get: read,
    lasting: ({ version: _version, source: _source, ...rest }: Json) => rest,
  },
  'views/{id}': {
    make: async () => {
      const { body } = await admin.send('POST', 'views', { name: 'v', where, columns: ['id'], shared: true });
      return `views/${(body as { id: string }).id}`;
    },
    get: () => lastOf('views', 'views'),
  },
  'queues/{id}': {
    make: async () => {
      const { body } = await admin.send('POST', 'queues', {
        name: 'x',
        where,
        due: { field: 'placed_at', minutes: 5 },
      });
      return `queues/${(body as { id: string }).id}`;
    },
    get: () => lastOf('queues', 'queues'),
  },
  'queues/{id}/escalation': {
    make: async () => {
      const rule = { after_minutes: 5, assignee: admin.id, notify: 'lead@example.com' };
      await admin.send('PUT', 'queues/to_ship/escalation', rule);
      return 'queues/to_ship/escalation';
    },
    get: async () =>
      ((await read('queues'))['queues'] as Json[]).find(({ id }) => id === 'to_ship')?.['escalation'] as Json,
  },
  'orders/{id}/tags': {
    make: async () => {
      await admin.send('PUT', `orders/${orderId}/tags`, ['vip']);
      return `orders/${orderId}/tags`;
    },
    get: async () => (await read(`orders/${orderId}`))['tags'] as string[],
  },
  'listings/{listing_id}': {
    make: () => Promise.resolve('listings/lst-1'),
    get: read,
    lasting: withoutVersion,
  },
  'catalogue/taxonomies/{id}': catalogueEntry('taxonomies', { name: 'Concerts' }),
  'catalogue/genres/{id}': catalogueEntry('genres', { name: 'Rock' }),
  'catalogue/venues/{id}': catalogueEntry('venues', {
    name: 'Hall',
    city: 'New York',
    country: 'US',
    location: { lat: 40.7, lon: -74 },
  }),
  'catalogue/performers/{id}': catalogueEntry('performers', {
    name: 'Band',
    taxonomies: [{ id: 77 }],
    genres: [{ id: 77 }],
  }),
  'catalogue/events/{id}': catalogueEntry('events', {
    title: 'Show',
    datetime_utc: '2031-05-02T00:00:00',
    datetime_local: '2031-05-01T20:00:00',
    visible_until_utc: '2031-05-02T04:00:00',
    venue: { id: 77 },
    performers: [{ id: 77, primary: true }],
    taxonomies: [{ id: 77 }],
  }),
  'transfer-sources': { get: read },
  'inbox/settings': { get: read },
  'report-subscriptions/{schedule}': {
    make: async () => {
      await admin.send('PUT', 'report-subscriptions/daily');
      return 'report-subscriptions/daily';
    },
    get: () => lastOf('report-subscriptions', 'subscriptions'),
  },
};

/** They set one field of an order, which GET shows under another name. */
const OF_ORDERS = ['orders/{id}/assignee', 'orders/{id}/snooze', 'orders/{id}/barcodes/{seat}'];

describe('what GET shows', () => {
  it('is tried of everything that can be PUT', () => {
    const document = JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8')) as {
      paths: Record<string, object>;
    };
    const paths = Object.entries(document.paths).filter(
      ([path, item]) => path.startsWith('/backoffice/v1/') && 'put' in item,
    );
    const known = [...Object.keys(RESOURCES), ...OF_ORDERS].map((path) => `/backoffice/v1/${path}`);
    expect(paths.map(([path]) => path).toSorted()).toEqual(known.toSorted());
  });

  it.each(Object.entries(RESOURCES))('can be PUT again: %s', async (name, { make, get, lasting }) => {
    const lastingOf = (value: Json | readonly unknown[]) => (lasting && isObject(value) ? lasting(value) : value);
    const path = (await make?.()) ?? name;
    const shown = await get(path);
    expect(shown).toBeTruthy();
    const answer: Answer = await admin.send('PUT', path, shown);
    expect(answer.status, answer.text).toBeLessThan(300);
    expect(lastingOf(await get(path))).toEqual(lastingOf(shown));
  });

  it('can be PUT again where there is nothing: an escalation of null', async () => {
    const { escalation } = ((await read('queues'))['queues'] as Json[]).find(({ id }) => id === 'review') ?? {};
    expect(escalation).toBeNull();
    expect((await admin.send('PUT', 'queues/review/escalation', 'null')).status).toBe(204);
  });

  it('can be PUT again as the source of the status catalogue', async () => {
    const source = await read('status-catalogue/source');
    const answer = await admin.send('PUT', 'status-catalogue', source);
    expect(answer.status, answer.text).toBe(200);
    const { version: _version, versions: _versions, ...rest } = source;
    expect(await read('status-catalogue/source')).toMatchObject(rest);
  });

  it.each([
    ['policies', (version: number) => ({ version, policies: [] })],
    ['fraud-rules', (version: number) => ({ version, rules: [] })],
    ['status-catalogue', async (version: number) => ({ ...(await read('status-catalogue')), version })],
  ])('is refused once somebody has changed it: %s', async (path, bodyOf) => {
    const { version } = (await read(path)) as { version: number };
    const body = await bodyOf(version);
    const put = async (sent: object, headers = {}) => await admin.send('PUT', path, sent, headers);
    const ahead = await put(body, { 'if-match': `"${version + 1}"` });
    const [first, second] = [await put(body), await put(body)];
    expect([ahead.status, first.status, second.status, codesOf(second)]).toEqual([412, 200, 412, [41201]]);
    expect((await put({ ...body, version: version + 1 }, { 'if-match': `"${version + 1}"` })).status).toBe(200);
    expect((await put({ ...body, version: null })).status).toBe(200);
    expect((await put({ ...body, version: 'x' })).status).toBe(400);
  });
});
