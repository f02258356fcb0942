import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PingStreamPage } from '../ping-stream.contract.js';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { type Answer, call, codesOf, messagesOf, STAFF_TOKEN } from '../../../../test/support/callers.js';
import { addEntries, evenPositions } from '../../../../test/support/ping-stream/stream-entries.js';
import { streamToken } from '../../../../test/support/ping-stream/stream-token.js';
import { startStreamWork } from '../../../../test/support/ping-stream/stream-work.js';
import { wholesaleBody } from '../../../../test/support/purchase-bodies.js';
import { until } from '../../../../test/support/until.js';

type Page = { pings: Record<string, unknown>[]; next: number; epoch: string };

let api: TestApi;
let work: { stop(): Promise<void> } | undefined;

beforeAll(async () => {
  api = await startTestApi();
});
afterEach(async () => {
  await work?.stop();
  work = undefined;
  await api.pool.query('truncate ping_stream');
});
afterAll(() => api.close());

function ask(query = '', token = STAFF_TOKEN): Promise<Answer> {
  return call(`${api.url}/stream/v1/pings${query}`, 'GET', undefined, { authorization: `Bearer ${token}` });
}

async function page(query = ''): Promise<Page> {
  const { status, body, text } = await ask(query);
  if (status !== 200) throw new Error(text);
  return body as Page;
}

const positions = ({ pings }: Page) => pings.map(({ position }) => position);

describe('GET /stream/v1/pings', () => {
  it('shows the pings of the platform, exactly in the form of the contract', async () => {
    work = startStreamWork(api.databaseUrl);
    await api.staff.putListing('lst-1');
    const id = await api.wholesale.bought({ ...wholesaleBody(), ref_id: 'a "quoted" ref' });
    const first = await page('?wait=10');
    await api.staff.changeStatus(id, 2001);
    const { pings, next } = await page(`?after=${first.next}&wait=10`);
    expect([...first.pings, ...pings]).toEqual([
      {
        id: `${id.replace('ord', 'png')}_1`,
        position: expect.any(Number),
        order_id: id,
        ref_id: 'a "quoted" ref',
        sequence: 1,
        status: 'confirmed',
        status_message: 'Confirmed',
        status_code: 2000,
        occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        transaction_id: expect.any(String),
      },
      expect.objectContaining({ sequence: 2, status_code: 2001, position: next }),
    ]);
    const { body } = await api.staff.get(`orders/${id}`);
    const sent = (body as { pings: { id: string; occurred_at: string; transaction_id: string }[] }).pings;
    expect([...first.pings, ...pings]).toMatchObject(
      sent.map(({ id: pingId, occurred_at, transaction_id }) => ({ id: pingId, occurred_at, transaction_id })),
    );
  });

  it('pages through all entries, whatever the size of a page', async () => {
    await addEntries(api.pool, 0, 250);
    const seen: number[] = [];
    for (let after = 0, next = -1; after !== next;) {
      if (next >= 0) after = next;
      const found = await page(`?after=${after}&limit=${1 + (after % 60)}`);
      expect(PingStreamPage.safeParse(found).success).toBe(true);
      seen.push(...(positions(found) as number[]));
      next = found.next;
    }
    expect(seen).toEqual(evenPositions(0, 500));
    expect((await page()).pings).toHaveLength(100);
    expect(await page('?after=500')).toEqual({ pings: [], next: 500, epoch: expect.any(String) });
  });

  it('rejects a position beyond the end, and one of another epoch', async () => {
    await addEntries(api.pool, 0, 5);
    const { epoch } = await page();
    expect(epoch).toMatch(/^[0-9a-f]{12}$/);
    const meta = { epoch, last: 10 };
    for (const query of ['?after=11', '?after=11&status=confirmed', '?epoch=other', '?after=10&epoch=other&wait=5']) {
      const answer = await ask(query);
      expect([answer.status, codesOf(answer), answer.body]).toEqual([409, [40902], expect.objectContaining({ meta })]);
    }
    expect(await page(`?after=10&epoch=${epoch}`)).toEqual({ pings: [], next: 10, epoch });
  });

  it('accepts a position whose entry is yet to be written again after a crash', async () => {
    await addEntries(api.pool, 0, 5);
    await api.pool.query(`insert into events (stream, position, event_id, type, data, metadata, recorded_at, hash)
      values ('note-1', 1, 'evt-crash', 'Noted', '{}', '{}', now(), '')`);
    await api.pool.query(`insert into feed (position, stream, stream_position) values (20, 'note-1', 1)`);
    expect(await page('?after=20')).toMatchObject({ pings: [], next: 20 });
    expect((await ask('?after=21')).status).toBe(409);
    await api.pool.query(`set session_replication_role = replica; delete from feed where position = 20;
      delete from events where stream = 'note-1'; set session_replication_role = default`);
  });

  it.each([
    ['?status=confirmed', (n: number) => n % 8 === 2],
    ['?status=confirmed,rejected', (n: number) => n % 8 === 2 || n % 8 === 4],
    ['?status=confirmed&status=rejected', (n: number) => n % 8 === 2 || n % 8 === 4],
    ['?status_code=1003', (n: number) => n % 8 === 6],
    ['?event_id=evt-1', (n: number) => n % 3 === 1],
    ['?listing_id=lst-2&event_id=evt-0', (n: number) => n % 5 === 2 && n % 3 === 0],
    ['?client_id=cli-0', () => true],
    ['?client_id=cli-1', () => false],
  ])('filters %s, and continues after the entries that it left out', async (query, matches) => {
    await addEntries(api.pool, 0, 100);
    const all = evenPositions(0, 200).filter(matches);
    expect(await page(`${query}&limit=1000`)).toMatchObject({ next: 200 });
    expect(positions(await page(`${query}&limit=1000`))).toEqual(all);
    const first = await page(`${query}&limit=5`);
    expect(positions(first)).toEqual(all.slice(0, 5));
    expect(first.next).toBe(all.length > 5 ? all[4] : 200);
    expect(positions(await page(`${query}&after=${first.next}&limit=1000`))).toEqual(all.slice(5));
  });

  it.each([
    ['?colour=red', /"?colour"?/],
    ['?status=lost', /status/],
    ['?status=', /status/],
    ['?after=-1', /after/],
    ['?after=x', /after/],
    ['?after=1.5', /after/],
    ['?after=99999999999999999999', /after/],
    ['?limit=0', /limit/],
    ['?limit=5001', /limit/],
    ['?limit=1&limit=2', /limit/],
    ['?wait=31', /wait/],
    ['?wait=-1', /wait/],
    ['?status_code=high', /status_code/],
    [`?listing_id=${'x'.repeat(256)}`, /listing_id/],
    ['?event_id=%00', /event_id/],
  ])('rejects %s and names the field', async (query, field) => {
    const answer = await ask(query);
    expect([answer.status, codesOf(answer)]).toEqual([400, [40001]]);
    expect(messagesOf(answer)[0]).toMatch(field);
  });

  it('rejects requests without a token', async () => {
    const bare = await call(`${api.url}/stream/v1/pings`, 'GET', undefined, {});
    expect([bare.status, codesOf(bare)]).toEqual([401, [40100]]);
    expect((await ask('', 'wst_' + '0'.repeat(64))).status).toBe(401);
    expect((await ask('/live', 'nonsense')).status).toBe(401);
  });
});

describe('a long poll', () => {
  const waiting = async () => {
    const text = (await call(`${api.url}/metrics`, 'GET', undefined, {})).text;
    return Number(/^willcall_stream_readers\{state="waiting"\} (\d+)$/m.exec(text)?.[1]);
  };

  it('ends as soon as an entry matches the filter', async () => {
    const answer = page('?wait=30&listing_id=lst-4');
    await expect.poll(waiting, { timeout: 10_000 }).toBe(1);
    // Above all existing entries, because a follower of the stream never looks back.
    await addEntries(api.pool, 10_000, 1);
    await addEntries(api.pool, 10_002, 1);
    const began = performance.now();
    expect(await answer).toMatchObject({ pings: [{ position: 10_004 }], next: 10_004 });
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it('ends without an entry when the time is over, and returns the end of the stream', async () => {
    await addEntries(api.pool, 0, 3);
    expect(await page('?wait=0.3&listing_id=none')).toMatchObject({ pings: [], next: 6 });
    expect(await page('?wait=0.3&after=6')).toMatchObject({ pings: [], next: 6 });
  });

  it('of a token that is revoked elsewhere meanwhile ends within 5 s, and never hands out an entry', async () => {
    const { id, token } = await streamToken(api, 'a reader');
    const [idle, due] = [ask('?wait=30&listing_id=none', token), ask('?wait=30&client_id=none', token)];
    await expect.poll(waiting, { timeout: 20_000 }).toBe(2);
    // Like another process: nothing tells this one.
    await api.pool.query('update stream_tokens set revoked_at = now() where id = $1', [id]);
    const revoked = performance.now();
    await expect.poll(waiting, { timeout: 20_000 }).toBe(0);
    expect(performance.now() - revoked).toBeLessThan(5_000);
    for (const answer of await Promise.all([idle, due]))
      expect([answer.status, codesOf(answer)]).toEqual([401, [40100]]);
  });

  it('is cancelled with the connection', async () => {
    const left = new AbortController();
    const headers = { authorization: `Bearer ${STAFF_TOKEN}` };
    const asked = fetch(`${api.url}/stream/v1/pings?wait=30`, { headers, signal: left.signal }).catch(() => 'left');
    await expect.poll(waiting, { timeout: 10_000 }).toBe(1);
    left.abort();
    expect(await asked).toBe('left');
    await expect.poll(waiting, { timeout: 10_000 }).toBe(0);
  });
});

describe('one token', () => {
  it('has its share of the readers, and others have theirs', async () => {
    const own = await startTestApi({ STREAM_MAX_READERS_PER_TOKEN: '2' });
    const tokens = await Promise.all(['greedy', 'other'].map((name) => streamToken(own, name)));
    const [greedy = '', other = ''] = tokens.map(({ token }) => token);
    const left = new AbortController();
    const read = (token: string, path: string) =>
      fetch(`${own.url}/stream/v1/pings${path}`, {
        headers: { authorization: `Bearer ${token}` },
        signal: left.signal,
      });
    const [live, waiting] = [await read(greedy, '/live'), read(greedy, '?wait=30').catch(() => undefined)];
    expect(live.status).toBe(200);
    const refused = await until(async () => {
      const answer = await read(greedy, '/live');
      if (answer.status === 503) return answer;
      await answer.body?.cancel();
      return undefined;
    });
    expect(refused.headers.get('retry-after')).toBe('5');
    expect((await read(greedy, '?wait=1')).status).toBe(503);
    expect((await read(greedy, '')).status).toBe(200);
    expect([(await read(other, '/live')).status, (await read(STAFF_TOKEN, '/live')).status]).toEqual([200, 200]);
    left.abort();
    await waiting;
    const again = new AbortController();
    await until(async () => {
      const headers = { authorization: `Bearer ${greedy}` };
      return (await fetch(`${own.url}/stream/v1/pings/live`, { headers, signal: again.signal })).status === 200;
    });
    again.abort();
    await own.close();
  });
});
