import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, codesOf, messagesOf, Platform, Staff, STAFF_TOKEN, WHOLESALE } from './support/callers.js';
import { venueLine } from './support/discovery/catalogue-lines.js';
import { checkoutListing } from './support/listing-body.js';
import { LivePings } from './support/ping-stream/live-pings.js';
import { wholesaleBody } from './support/purchase-bodies.js';
import { willcall } from './support/stand/service.js';
import { Stand } from './support/stand/stand.js';
import { until } from './support/until.js';

const authorization = { authorization: `Bearer ${STAFF_TOKEN}` };
const READ_ONLY = { READ_ONLY: 'true' };

describe('An api with READ_ONLY on a standby', () => {
  let stand: Stand;
  let url: string;
  let orderId: string;
  beforeAll(async () => {
    stand = await Stand.start({ database: 'replicated', apis: 1, settings: { DISCOVERY_CLIENT_ID: 'public' } });
    await stand.staff.putListing('lst-1', { quantity: 1_000 });
    await stand.staff.send('PUT', 'catalogue/venues/9', venueLine(9, { name: 'The Standby' }));
    orderId = await stand.wholesale.bought(wholesaleBody());
    ({ url } = await stand.addApi('reader', {
      ...READ_ONLY,
      DATABASE_URL: stand.parts.replicas!.standby.applicationUrl,
    }));
  });
  afterAll(() => stand?.close());

  const read = async (path: string) => (await call(url + path, 'GET', undefined, authorization)).body;

  it('is ready, and says that it only reads', async () => {
    expect(await read('/health/ready')).toEqual({ status: 'ok', database: 'ok', read_only: true });
    expect(await read('/health/live')).toEqual({ status: 'ok' });
  });

  it('serves the platform a listing and a purchase', async () => {
    const platform = new Platform(url, WHOLESALE);
    expect((await platform.lookUp('lst-1')).status).toBe(200);
    expect((await platform.read(orderId)).body).toMatchObject({ id: orderId });
  });

  it.each<[string, (id: string) => string, (id: string) => object]>([
    ['an order', (id) => `/backoffice/v1/orders/${id}`, (id) => ({ id })],
    ['the timeline of an order', (id) => `/backoffice/v1/orders/${id}/timeline`, () => ({})],
    ['who has an order open', (id) => `/backoffice/v1/orders/${id}/presence`, () => ({ people: [] })],
    ['a list of orders', () => '/backoffice/v1/orders?limit=1', (id) => ({ orders: [{ id }] })],
    ['a report', () => '/backoffice/v1/reports/orders', () => ({})],
    ['discovery', () => '/2/venues?client_id=public', () => ({ venues: [{ name: 'The Standby' }] })],
    ['the ping stream', () => '/stream/v1/pings', (id) => ({ pings: [{ order_id: id }] })],
  ])('serves %s', async (_, path, expected) => {
    await until(async () => {
      const { status, body } = await call(url + path(orderId), 'GET', undefined, authorization);
      expect(status).toBe(200);
      expect(body).toMatchObject(expected(orderId));
      return true;
    });
  });

  it('tells live readers what is bought on the primary', async () => {
    const reader = await LivePings.open(url);
    await until(() => reader.epoch);
    const id = await stand.wholesale.bought({ ...wholesaleBody(), ref_id: 'live' });
    await until(() => reader.pings.some(({ order_id }) => order_id === id));
    const { body } = await call(`${stand.api().url}/stream/v1/pings`, 'GET', undefined, authorization);
    expect(body).toMatchObject({ epoch: reader.epoch?.epoch });
    expect(stand.api(1).log()).not.toContain('the live stream failed');
    reader.close();
  });

  it.each<[string, string, unknown]>([
    ['PUT', '/backoffice/v1/listings/lst-2', checkoutListing()],
    ['PATCH', '/backoffice/v1/listings', { listings: [] }],
    ['DELETE', '/backoffice/v1/sample', undefined],
    ['POST', '/backoffice/v1/session', { email: 'ada@example.com', password: 'does not matter' }],
    ['POST', '/2/venues', undefined],
  ])('refuses %s %s with 503', async (method, path, body) => {
    const answer = await call(url + path, method, body, authorization);
    expect([answer.status, codesOf(answer)]).toEqual([503, [50300]]);
    expect(messagesOf(answer)).toEqual(['Temporarily unavailable: this api only reads']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('serves the pages of the console', async () => {
    const { status, headers } = await call(`${url}/orders`, 'GET', undefined, { accept: 'text/html' });
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/html/)]);
  });

  it('refuses a purchase, of which nothing stays', async () => {
    const counted = async () => [
      await stand.staff.available('lst-1'),
      (await stand.pool.query('select count(*) from events')).rows,
    ];
    const before = await counted();
    const answer = await new Platform(url, WHOLESALE).buy({ ...wholesaleBody(), ref_id: 'refused' });
    expect([answer.status, codesOf(answer)]).toEqual([503, [50300]]);
    expect(await counted()).toEqual(before);
  });

  it('masks the data of buyers, because a read in clear has to leave a trace', async () => {
    const made = await stand.staff.send('POST', 'tokens', { name: 'reader', scopes: ['orders:read', 'orders:reveal'] });
    const { id, token } = made.body as { id: string; token: string };
    const authorization = `Bearer ${token}`;
    const order = `${url}/backoffice/v1/orders/${orderId}`;
    await until(async () => (await call(order, 'GET', undefined, { authorization })).status === 200);
    expect((await call(order, 'GET', undefined, { authorization })).text).not.toContain('ada@example.com');
    const data = await call(`${url}/backoffice/v1/buyers/${orderId}/data`, 'GET', undefined, { authorization });
    expect([data.status, data.text]).toEqual([503, expect.not.stringContaining('ada@example.com')]);
    const { body } = await stand.staff.get('tokens');
    const { tokens } = body as { tokens: { id: string; last_used_at: string | null }[] };
    expect(tokens.find((each) => each.id === id)?.last_used_at).toBeNull();
  });

  it('takes on the epoch of the primary', async () => {
    await stand.pool.query('select renew_epoch()');
    const { rows } = await stand.pool.query<{ epoch: string }>('select epoch from database_epoch');
    await until(async () => ((await read('/stream/v1/pings')) as { epoch: string }).epoch === rows[0]?.epoch);
  });
});

describe('READ_ONLY', () => {
  let stand: Stand;
  beforeAll(async () => {
    stand = await Stand.start({ database: 'shared', apis: 0, workers: 0 });
  });
  afterAll(() => stand?.close());

  it('is refused by a worker', async () => {
    await expect(stand.addWorker('reader', READ_ONLY)).rejects.toThrow(/READ_ONLY: must be false here/);
  });

  it.each<[string, RegExp]>([
    ['start', /READ_ONLY: must be false here/],
    ['migrate', /READ_ONLY: must be false here/],
    ['stream-tokens add reader', /^READ_ONLY is true, so this command may not write\.$/m],
  ])('keeps willcall %s from writing', async (command, sentence) => {
    const { code, output } = await willcall(command.split(' '), { ...stand.environment, ...READ_ONLY });
    expect([code, output]).toEqual([1, expect.stringMatching(sentence)]);
  });

  it('makes an api of the primary only read, too', async () => {
    const { url } = await stand.addApi('reader', READ_ONLY);
    expect((await new Staff(url).get('orders')).status).toBe(200);
    expect((await new Staff(url).send('PUT', 'listings/lst-1', checkoutListing())).status).toBe(503);
    const ready = await call(`${url}/health/ready`, 'GET');
    expect(ready.body).toMatchObject({ read_only: true });
  });
});
