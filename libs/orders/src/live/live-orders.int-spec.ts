import { createParser } from 'eventsource-parser';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { LiveOrderChange, LiveOrderChanges } from '../live-orders.contract.js';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { call, codesOf, STAFF_TOKEN } from '../../../../test/support/callers.js';
import { type SignedIn, signIn } from '../../../../test/support/operators.js';
import { startStreamWork } from '../../../../test/support/ping-stream/stream-work.js';
import { cardBody } from '../../../../test/support/purchase-bodies.js';
import { until } from '../../../../test/support/until.js';

let api: TestApi;
let work: { stop(): Promise<void> };
let open: LiveReader[] = [];

beforeAll(async () => {
  api = await startTestApi({ STREAM_MAX_READERS: '5' });
  work = startStreamWork(api.databaseUrl);
  await api.staff.putListing('lst-1', { quantity: 1_000, seller: 'Front Row' });
});
afterEach(async () => {
  for (const reader of open) reader.close();
  open = [];
  await until(async () => (await readers()) === 0);
});
afterAll(async () => {
  await work?.stop();
  await api.close();
});

const path = 'backoffice/v1/orders/changes/live';
const STAFF = { authorization: `Bearer ${STAFF_TOKEN}` };

type Event = Readonly<{ id: string; type: string; data: string }>;

/** A reader of the live changes. */
class LiveReader {
  readonly events: Event[] = [];
  over = false;
  private readonly left = new AbortController();

  static async open(headers: Record<string, string> = STAFF, url = api.url): Promise<LiveReader> {
    const reader = new LiveReader();
    const response = await fetch(`${url}/${path}`, { headers, signal: reader.left.signal });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    open.push(reader);
    void reader.read(response);
    await until(() => reader.events.some(({ type }) => type === 'position'));
    return reader;
  }

  get changes(): LiveOrderChange[] {
    const frames = this.events.filter(({ type }) => type === 'message');
    return frames.flatMap(({ data }) => (JSON.parse(data) as LiveOrderChanges).changes);
  }

  of(id: string): LiveOrderChange | undefined {
    return this.changes.findLast(({ order_id: changed }) => changed === id);
  }

  get lastEventId(): string {
    return this.events.at(-1)?.id ?? '';
  }

  close(): void {
    this.left.abort();
  }

  private async read({ body }: Response): Promise<void> {
    const decoder = new TextDecoder();
    const parser = createParser({
      onEvent: ({ id = '', event = 'message', data }) => this.events.push({ id, type: event, data }),
    });
    try {
      for await (const chunk of body!) parser.feed(decoder.decode(chunk as Uint8Array, { stream: true }));
    } catch {
      // It was closed.
    }
    this.over = true;
  }
}

async function readers(): Promise<number> {
  const { text } = await call(`${api.url}/metrics`, 'GET', undefined, {});
  return Number(/^willcall_console_readers (\d+)$/m.exec(text)?.[1]);
}

let purchases = 0;

function bought(): Promise<string> {
  purchases += 1;
  return api.payment.bought({ ...cardBody(), ref_id: `ref-${purchases}` });
}

const cookieOf = ({ cookie }: SignedIn) => ({ cookie });

describe('GET /backoffice/v1/orders/changes/live', () => {
  it('tells of new orders, changes and what staff record beside them, without anything personal', async () => {
    const reader = await LiveReader.open();
    const id = await bought();
    await until(() => reader.of(id) !== undefined);
    await api.staff.changeStatus(id, 2001);
    await until(() => reader.of(id)?.status_code === 2001);
    const { body } = await api.staff.get(`orders/${id}`);
    const { version } = body as { version: number };
    const change = {
      order_id: id,
      version,
      desk_version: 0,
      status: 'confirmed',
      status_message: 'Order Confirmation Email Sent',
      status_code: 2001,
    };
    expect(reader.of(id)).toEqual(change);
    await api.staff.send('PUT', `orders/${id}/tags`, ['vip']);
    await api.staff.send('PUT', `orders/${id}/tags`, ['vip', 'late']);
    await until(() => (reader.of(id)?.desk_version ?? 0) > 0);
    const before = reader.changes.length;
    await api.staff.send('POST', `orders/${id}/notes`, { text: 'She called.' });
    await until(() => reader.changes.length > before);
    expect(JSON.stringify(reader.events)).not.toMatch(/ada|called|vip/i);
  });

  it('tells each reader what it missed, wherever it was cut', async () => {
    const id = await bought();
    const first = await LiveReader.open();
    await api.staff.changeStatus(id, 2001);
    await until(() => first.of(id)?.status_code === 2001);
    first.close();
    await api.staff.changeStatus(id, 2002);
    const other = await bought();
    await api.staff.send('PUT', `orders/${other}/tags`, ['vip']);
    // The feed has them before the reader comes back.
    const witness = await LiveReader.open();
    await api.staff.changeStatus(other, 2001);
    await until(() => witness.of(other)?.status_code === 2001);
    const again = await LiveReader.open({ ...STAFF, 'last-event-id': first.lastEventId });
    await until(() => again.of(id) !== undefined && again.of(other) !== undefined);
    expect(again.of(id)?.status_code).toBe(2002);
    expect(again.events.map(({ type }) => type)).not.toContain('reset');
  });

  it.each(['abc', '0123abcd.1.1', 'EPOCH.99999999.0'])(
    'tells a reader that cannot continue after %j to read everything again',
    async (given) => {
      const { rows } = await api.pool.query<{ epoch: string }>('select current_epoch() as epoch');
      const id = given.replace('EPOCH', rows[0]?.epoch ?? '');
      const reader = await LiveReader.open({ ...STAFF, 'last-event-id': id });
      expect(reader.events.map(({ type }) => type)).toEqual(['reset', 'position']);
    },
  );

  it('tells brokers of their own orders only', async () => {
    const own = await signIn(api, ['broker'], ['Front Row']);
    const other = await signIn(api, ['broker'], ['Back Row']);
    const [ownReader, otherReader] = [await LiveReader.open(cookieOf(own)), await LiveReader.open(cookieOf(other))];
    const all = await LiveReader.open();
    const id = await bought();
    await until(() => all.of(id) !== undefined && ownReader.of(id) !== undefined);
    expect(otherReader.changes).toEqual([]);
    expect(JSON.stringify(ownReader.events)).not.toContain('Front Row');
  });

  it('tells brokers of an order once its review is over', async () => {
    const where = { field: 'quantity', op: '>', value: 0 };
    await api.staff.send('PUT', 'fraud-rules', { rules: [{ name: 'All', where }] });
    const reader = await LiveReader.open(cookieOf(await signIn(api, ['broker'], ['Front Row'])));
    const all = await LiveReader.open();
    const id = await bought();
    await api.staff.send('PUT', 'fraud-rules', { rules: [] });
    await until(() => all.of(id) !== undefined);
    const other = await bought();
    await until(() => reader.of(other) !== undefined);
    expect(reader.of(id)).toBeUndefined();
    await api.staff.send('POST', `orders/${id}/approve`);
    await until(() => reader.of(id) !== undefined);
  });

  it('tells who comes to an order, and of new notices, only those whom it concerns', async () => {
    const id = await bought();
    const [ada, grace] = [await signIn(api, ['support']), await signIn(api, ['support'])];
    const all = await LiveReader.open(cookieOf(ada));
    const other = await LiveReader.open(cookieOf(await signIn(api, ['broker'], ['Back Row'])));
    const people = (reader: LiveReader) =>
      reader.events.filter(({ type }) => type === 'people').map(({ data }) => data);
    await grace.get(`orders/${id}/presence`);
    await until(() => people(all).length === 1);
    expect(people(all)).toEqual([JSON.stringify({ orders: [id], inbox: false })]);
    // Who stays comes only once.
    await grace.get(`orders/${id}/presence`);
    await grace.send('POST', `orders/${id}/notes`, { text: 'Hello', mentions: [ada.id] });
    await until(() => people(all).length === 2);
    expect(people(all)[1]).toBe(JSON.stringify({ orders: [], inbox: true }));
    expect(people(other)).toEqual([]);
  });

  it('ends with the session', async () => {
    const viewer = await signIn(api, ['viewer']);
    const reader = await LiveReader.open(cookieOf(viewer));
    await viewer.send('DELETE', 'session');
    await until(() => reader.over);
    expect((await call(`${api.url}/${path}`, 'GET', undefined, cookieOf(viewer))).status).toBe(401);
  });

  it('accepts no more readers than the settings allow', async () => {
    for (let count = 0; count < 5; count += 1) await LiveReader.open();
    const answer = await call(`${api.url}/${path}`, 'GET', undefined, STAFF);
    expect([answer.status, codesOf(answer)]).toEqual([503, [50300]]);
    open[0]?.close();
    await until(async () => (await readers()) === 4);
    await LiveReader.open();
  });

  it('leaves places to others, however many sessions and tokens one person has', async () => {
    const greedy = await signIn(api, ['administrator']);
    const body = { name: 'feed', scopes: ['orders:read'] };
    const token = ((await greedy.send('POST', 'tokens', body)).body as { token: string }).token;
    const byToken = { authorization: `Bearer ${token}` };
    const refused = async (headers: Record<string, string>) =>
      codesOf(await call(`${api.url}/${path}`, 'GET', undefined, headers));
    await LiveReader.open(cookieOf(greedy));
    expect([await refused(cookieOf(greedy)), await refused(byToken)]).toEqual([[50300], [50300]]);
    await LiveReader.open(cookieOf(await signIn(api, ['viewer'])));
    open[0]?.close();
    await until(async () => (await readers()) === 1);
    await LiveReader.open(byToken);
  });

  it('ends at once when the process stops', async () => {
    const own = await startTestApi();
    const reader = await LiveReader.open(STAFF, own.url);
    await own.close();
    await until(() => reader.over);
  });
});
