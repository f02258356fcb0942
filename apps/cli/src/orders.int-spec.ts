import { userInfo } from 'node:os';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ORDER_SORTS, OrderDetail } from '#orders/order.contract';
import { parseSettings } from '#base/load-settings';
import { DomainError } from '#domain/domain-error';
import { startTestApi, type TestApi } from '../../../test/support/api.js';
import { apiEnvironment } from '../../../test/support/api-environment.js';
import { broken } from '../../../test/support/broken.js';
import { wholesaleBody } from '../../../test/support/purchase-bodies.js';
import { sealerOf } from './encryption-key.js';
import { listingsCommand } from './listings.js';
import { ordersCommand } from './orders.js';
import { explain, UsageError } from './terminal/user-error.js';
import { createOrderContext } from './with-orders.js';

let api: TestApi;
let trackingNumbers = 'any';
const printed = vi.spyOn(console, 'log').mockReturnValue();

beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1', { quantity: 1_000 });
});
afterAll(() => api.close());
beforeEach(() => void printed.mockClear());
afterEach(() => {
  trackingNumbers = 'any';
  vi.unstubAllEnvs();
});

const placed = (refId: string) => api.wholesale.bought(broken(wholesaleBody(), { ref_id: refId }));
const detail = async (id: string) => OrderDetail.parse((await api.staff.get(`orders/${id}`)).body);

async function run(...words: string[]): Promise<string> {
  printed.mockClear();
  const settings = parseSettings({ ...apiEnvironment(api.databaseUrl), TRACKING_NUMBERS: trackingNumbers });
  const command =
    words[0] === 'listings'
      ? listingsCommand((work) => work(api.pool))
      : ordersCommand(async (work) => work(await createOrderContext(api.pool, settings, sealerOf(settings))));
  for (const each of [command, ...command.commands]) each.exitOverride().configureOutput({ writeErr: () => undefined });
  await command.parseAsync(words.slice(1), { from: 'user' });
  return printed.mock.calls.map(([line]) => String(line)).join('\n');
}

/** Half of the copies wait for the broker. */
const COPY_ORDER = `
  insert into orders select (jsonb_populate_record(o, jsonb_build_object('id', 'ord_copy_' || n, 'event_id', 'copied',
    'due_for', case when n % 2 = 0 then 'confirmation' end, 'due_at', o.placed_at + n * interval '1 minute'))).*
  from orders o, generate_series(1, 410) n where o.id = $1`;

const runJson = async (...words: string[]) => JSON.parse(await run(...words, '--json')) as Record<string, unknown>;

describe('orders list', () => {
  it('finds orders like the back office, page after page', async () => {
    const ids = [await placed('list-1'), await placed('list-2'), await placed('list-3')];
    expect(await run('orders', 'list', '--ref-id', 'list-2')).toMatch(
      new RegExp(`^order +version .*\n${ids[1]} +2 .* 2000 Confirmed +2 +180\\.02 +lst-1 +list-2$`),
    );
    const { orders, more } = await runJson('orders', 'list', '--q', 'list-1', '--status', 'confirmed,pending');
    expect([orders, more]).toEqual([[expect.objectContaining({ id: ids[0], ref_id: 'list-1' })], false]);
    expect(await run('orders', 'list', '--limit', '2')).toMatch(/\nand more: see --limit$/);
    expect(await run('orders', 'list', '--to', '2020-01-01T00:00:00Z')).toBe('No orders.');
  });

  it('shows each order once, also beyond the first page, in every order', async () => {
    const waiting = await placed('copied');
    await api.pool.query(COPY_ORDER, [waiting]);
    for (const sort of ORDER_SORTS) {
      const { orders } = await runJson('orders', 'list', '--event', 'copied', '--sort', sort, '--limit', '500');
      const ids = (orders as { id: string }[]).map(({ id }) => id);
      expect([sort, ids.length, new Set(ids).size]).toEqual([sort, 410, 410]);
    }
  });

  it("finds by e-mail and shows no buyer's data", async () => {
    const id = await placed('by-mail');
    for (const [name, value] of Object.entries(apiEnvironment(api.databaseUrl))) vi.stubEnv(name, value);
    printed.mockClear();
    await ordersCommand().parseAsync(['list', '--q', 'ada@example.com', '--json'], { from: 'user' });
    await ordersCommand().parseAsync(['show', id, '--json'], { from: 'user' });
    const text = printed.mock.calls.flat().join('\n');
    expect(text).toContain(id);
    expect(text).not.toContain('ada@example.com');
  });

  it('shows control characters of strangers instead of executing them', async () => {
    const id = await placed('\u001b[2J\u009bx');
    expect(await run('orders', 'show', id)).toContain('ref_id      \\u{1b}[2J\\u{9b}x');
    expect(await run('orders', 'list')).toContain('\\u{1b}[2J\\u{9b}x');
    const json = await run('orders', 'list', '--json');
    for (const character of ['\u001b', '\u009b']) expect(json).not.toContain(character);
  });

  it.each([
    [['list', '--status', 'lost'], /status.0/],
    [['list', '--stage', 'first'], /stage/],
    [['list', '--from', 'yesterday'], /--from/],
    [['list', '--limit', '0'], /whole number/],
  ])('reports the error of %j', async (words, says) => {
    await expect(run('orders', ...words)).rejects.toThrow(says);
  });
});

describe('orders status', () => {
  it('changes the order by the rules, in the name of the person, and sends a ping', async () => {
    const id = await placed('status-1');
    expect(await run('orders', 'status', id, '2001', '--note', 'sent')).toContain('2001 Order Confirmation Email Sent');
    const order = await detail(id);
    expect(order.status_history.at(-1)).toMatchObject({
      status_code: 2001,
      note: 'sent',
      actor: `cli:${userInfo().username}`,
    });
    expect(order.pings.map(({ status_code }) => status_code)).toEqual([2000, 2001]);
    expect(await runJson('orders', 'show', id)).toMatchObject({ id, version: 3, status: { status_code: 2001 } });
  });

  it('is rejected like in the back office, and changes nothing', async () => {
    const id = await placed('status-2');
    await run('orders', 'status', id, '3007');
    const before = await detail(id);
    for (const [orderId, code, ...options] of [
      [id, '2000'],
      [id, '9999'],
      [id, '2001', '--version-expected', '1'],
      ['ord_none', '2000'],
    ] as const) {
      const expected = options.length > 0 ? { 'if-match': '"1"' } : {};
      const answer = await api.staff.send('POST', `orders/${orderId}/status`, { status_code: Number(code) }, expected);
      const said = await run('orders', 'status', orderId, code, ...options).catch(explain);
      expect(JSON.stringify(answer.body)).toContain(JSON.stringify(said).slice(1, -1));
    }
    expect(await detail(id)).toEqual(before);
    await expect(run('orders', 'show', 'ord_none')).rejects.toThrow('There is no such order.');
  });

  it('changes only the expected version', async () => {
    const id = await placed('status-3');
    await expect(run('orders', 'status', id, '2001', '--version-expected', '7')).rejects.toThrow(DomainError);
    await run('orders', 'status', id, '2001', '--version-expected', '2');
    expect(await detail(id)).toMatchObject({ version: 3 });
  });
});

describe('orders fulfil', () => {
  it('records how the tickets were sent', async () => {
    const [shipped, downloaded] = [await placed('ship'), await placed('download')];
    await run('orders', 'fulfil', shipped, '--carrier', 'UPS', '--tracking-number', '1Z');
    await run('orders', 'fulfil', downloaded, '--url', 'https://tickets.example/1');
    expect(await detail(shipped)).toMatchObject({
      status: { status_code: 2002 },
      fulfillment: { type: 'ship', data: { carrier: 'UPS', tracking_number: '1Z' } },
    });
    expect(await detail(downloaded)).toMatchObject({ status: { status_code: 2004 } });
  });

  it('checks tracking numbers as the back office does', async () => {
    trackingNumbers = 'checked';
    const wrong = run('orders', 'fulfil', await placed('unchecked'), '--carrier', 'UPS', '--tracking-number', '1Z');
    await expect(wrong).rejects.toThrow('data.tracking_number must be one of UPS, with its check digit');
  });

  it.each([
    [[]],
    [['--carrier', 'UPS']],
    [['--carrier', 'Pigeon', '--tracking-number', '1']],
    [['--url', 'ftp://tickets.example']],
    [['--url', 'https://tickets.example', '--carrier', 'UPS']],
  ])('is invalid with %j', async (words) => {
    await expect(run('orders', 'fulfil', 'ord_1', ...words)).rejects.toThrow(UsageError);
  });
});

describe('listings list', () => {
  it('shows listings on sale, sold out and withdrawn', async () => {
    await api.staff.putListing('l-gone', { event_id: '77', quantity: 0 });
    await api.staff.putListing('l-on', { event_id: '77', quantity: 4, section: 'Floor' });
    await api.staff.putListing('l-out', { event_id: '77' });
    await api.staff.send('DELETE', 'listings/l-out');
    const { listings } = await runJson('listings', 'list', '--event', '77');
    expect(listings).toMatchObject([
      { listing_id: 'l-gone', state: 'sold_out', quantity: 0 },
      { listing_id: 'l-on', state: 'on_sale', quantity: 4 },
      { listing_id: 'l-out', state: 'withdrawn' },
    ]);
    expect(await run('listings', 'list', '--event', '77', '--state', 'on_sale')).toMatch(
      /^listing .*\nl-on +77 +Floor /,
    );
    expect(await run('listings', 'list', '--event', '77', '--limit', '1')).toMatch(
      /\nand more: see --limit and --after$/,
    );
    expect(await run('listings', 'list', '--event', '77', '--after', 'l-out')).toBe('No listings.');
  });
});
