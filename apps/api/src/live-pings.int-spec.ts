import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TimeOrderedIds } from '#base/ids';
import { parseSettings } from '#base/load-settings';
import { createLogger } from '#platform/logger';
import { type Answer, call, codesOf, messagesOf, STAFF_TOKEN } from '../../../test/support/callers.js';
import { startTestApi, type TestApi } from '../../../test/support/api.js';
import { apiEnvironment } from '../../../test/support/api-environment.js';
import { LivePings } from '../../../test/support/ping-stream/live-pings.js';
import { addEntries, evenPositions } from '../../../test/support/ping-stream/stream-entries.js';
import { streamToken } from '../../../test/support/ping-stream/stream-token.js';
import { until } from '../../../test/support/until.js';
import { startApi } from './start-api.js';

let api: TestApi;
let open: { close(): void }[];
/** The position of the last entry. It only grows, like that of the real stream, because a follower never looks back. */
let end = 0;

beforeAll(async () => {
  api = await startTestApi({ STREAM_MAX_READERS: '40' });
});
beforeEach(() => {
  open = [];
});
afterEach(async () => {
  for (const reader of open) reader.close();
  await until(async () => (await readers('live')) + (await readers('catching_up')) === 0);
});
afterAll(() => api.close());

async function grow(count: number): Promise<void> {
  await addEntries(api.pool, end, count);
  end += 2 * count;
}

async function live(where: Parameters<typeof LivePings.open>[1] = {}, url = api.url): Promise<LivePings> {
  const reader = await LivePings.open(url, where);
  open.push(reader);
  return reader;
}

async function readers(state: string): Promise<number> {
  return Number(new RegExp(`^willcall_stream_readers\\{state="${state}"\\} (\\d+)$`, 'm').exec(await metrics())?.[1]);
}

async function metrics(): Promise<string> {
  return (await call(`${api.url}/metrics`, 'GET', undefined, {})).text;
}

function ask(query: string, headers: Record<string, string> = {}): Promise<Answer> {
  const authorization = `Bearer ${STAFF_TOKEN}`;
  return call(`${api.url}/stream/v1/pings/live${query}`, 'GET', undefined, { authorization, ...headers });
}

describe('GET /stream/v1/pings/live', () => {
  it('sends new entries, each as in the feed', async () => {
    await grow(10);
    const start = end;
    const reader = await live();
    expect(reader.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(reader.response.headers.get('cache-control')).toContain('no-store');
    await until(async () => (await readers('live')) === 1);
    await grow(3);
    await until(() => reader.pings.length === 3);
    const headers = { authorization: `Bearer ${STAFF_TOKEN}` };
    const { body } = await call(`${api.url}/stream/v1/pings?after=${start}`, 'GET', undefined, headers);
    expect(reader.pings.map(({ eventId, ...entry }) => [eventId, entry])).toEqual(
      (body as { pings: { position: number }[] }).pings.map((entry) => [String(entry.position), entry]),
    );
  });

  it('continues after Last-Event-ID, or else after `after`', async () => {
    await grow(1_400);
    const [byHeader, byQuery, both] = [
      await live({ lastEventId: 10 }),
      await live({ query: '?after=2000' }),
      await live({ lastEventId: end - 10, query: '?after=0' }),
    ];
    await until(() => [byHeader, byQuery, both].every(({ positions }) => positions.at(-1) === end));
    expect(byHeader.positions).toEqual(evenPositions(10, end));
    expect(byQuery.positions).toEqual(evenPositions(2_000, end));
    expect(both.positions).toEqual(evenPositions(end - 10, end));
  });

  it('sends only entries that match the filter, old and new ones', async () => {
    const start = end;
    await grow(100);
    const some = await live({ query: `?after=${start}&status=confirmed,rejected&listing_id=lst-1` });
    const same = await live({ query: `?after=${start}&listing_id=lst-1&status=rejected&status=confirmed` });
    const other = await live({ query: `?after=${start}&event_id=evt-0` });
    await until(async () => (await readers('live')) === 3);
    await grow(100);
    const matching = evenPositions(start, end).filter((n) => [2, 4].includes(n % 8) && n % 5 === 1);
    const ofEvent = evenPositions(start, end).filter((n) => n % 3 === 0);
    await until(() => some.pings.length >= matching.length && other.pings.length >= ofEvent.length);
    await until(() => same.pings.length >= matching.length);
    expect(some.positions).toEqual(matching);
    expect(same.positions).toEqual(matching);
    expect(other.positions).toEqual(ofEvent);
  });

  it('misses and repeats nothing wherever it is cut and resumed, while the stream grows', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(60), { minLength: 1, maxLength: 6 }), fc.nat(40), async (cuts, more) => {
        const start = end;
        const seen: number[] = [];
        for (const cut of cuts) {
          const reader = await live({ lastEventId: seen.at(-1) ?? start });
          await grow(cut);
          // Wherever it has got to by then.
          await until(() => reader.pings.length >= Math.min(more, (end - (seen.at(-1) ?? start)) / 2));
          reader.close();
          seen.push(...reader.positions);
        }
        const last = await live({ lastEventId: seen.at(-1) ?? start });
        await until(() => (last.positions.at(-1) ?? seen.at(-1) ?? start) === end);
        last.close();
        expect([...seen, ...last.positions]).toEqual(evenPositions(start, end));
      }),
      { numRuns: 25 },
    );
  });

  it('shows the same on every process, even if the listening connection is lost', async () => {
    const settings = parseSettings(apiEnvironment(api.databaseUrl));
    const other = await startApi(settings, createLogger('test', 'silent'), new TimeOrderedIds(), (error) => {
      throw error;
    });
    try {
      const query = `?after=${end}`;
      const start = end;
      const [here, there] = [await live({ query }), await live({ query }, other.address)];
      await grow(50);
      await until(() => here.pings.length === 50 && there.pings.length === 50);
      await api.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'willcall stream listener'`,
      );
      await grow(50);
      await until(() => here.pings.length === 100 && there.pings.length === 100);
      expect(here.pings).toEqual(there.pings);
      expect(here.positions).toEqual(evenPositions(start, end));
    } finally {
      await other.app.close();
    }
  });

  it.each([
    ['?after=-1', {}, /after/],
    ['?wait=3', {}, /wait/],
    ['?status=lost', {}, /status/],
    ['', { 'last-event-id': 'abc' }, /Last-Event-ID/],
    ['', { 'last-event-id': '-2' }, /Last-Event-ID/],
  ])('rejects %s %j and names the field', async (query, headers, field) => {
    const answer = await ask(query, headers as Record<string, string>);
    expect([answer.status, codesOf(answer)]).toEqual([400, [40001]]);
    expect(messagesOf(answer)[0]).toMatch(field);
  });

  it('answers HEAD without a stream', async () => {
    const headers = { authorization: `Bearer ${STAFF_TOKEN}` };
    const { status, text } = await call(`${api.url}/stream/v1/pings/live`, 'HEAD', undefined, headers);
    expect([status, text]).toEqual([200, '']);
    expect((await readers('live')) + (await readers('catching_up'))).toBe(0);
  });

  it('accepts no more readers than the settings allow, and accepts one again when another leaves', async () => {
    const all = await Promise.all(Array.from({ length: 40 }, () => live()));
    await until(async () => (await readers('live')) === 40);
    const answer = await ask('');
    expect([answer.status, codesOf(answer)]).toEqual([503, [50300]]);
    expect(answer.headers.get('retry-after')).toBe('5');
    all[0]?.close();
    await until(async () => (await live()).response.status === 200);
  });
});

it('a live stream hands out nothing 5 s after another process has revoked its token', async () => {
  const { id, token } = await streamToken(api, 'a reader');
  const reader = await live({ token });
  await until(async () => (await readers('live')) === 1);
  await api.pool.query('update stream_tokens set revoked_at = now() where id = $1', [id]);
  const revoked = performance.now();
  await until(() => reader.over);
  expect(performance.now() - revoked).toBeLessThan(5_000);
  await grow(1);
  expect(reader.pings).toEqual([]);
});

describe('a slow reader', () => {
  it('is disconnected, the others are not, and it gets all missed entries', async () => {
    const slow = await slowReader();
    const quick = await live();
    await until(async () => (await readers('live')) === 2);
    const start = end;
    await until(
      async () => {
        await grow(500);
        await until(() => quick.positions.at(-1) === end);
        return (await readers('live')) === 1;
      },
      { withinMs: 30_000 },
    );
    expect(await metrics()).toMatch(/^willcall_stream_readers_cut_off 1$/m);
    expect(quick.positions).toEqual(evenPositions(start, end));
    const [text] = await slow.rest();
    const had = [...text.matchAll(/^id: (\d+)\ndata: .*\n\n/gm)].map(([, id]) => Number(id));
    expect(had).toEqual(evenPositions(start, had.at(-1) ?? 0));
    const again = await live({ lastEventId: had.at(-1)! });
    await until(() => again.positions.at(-1) === end);
    expect(again.positions).toEqual(evenPositions(had.at(-1)!, end));
  });

  /** Requests the stream and reads only the headers until `rest`. */
  async function slowReader(): Promise<{ rest(): Promise<[string]> }> {
    const { hostname, port } = new URL(api.url);
    const socket: Socket = connect(Number(port), hostname);
    socket.write(
      `GET /stream/v1/pings/live HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${STAFF_TOKEN}\r\n\r\n`,
    );
    open.push({ close: () => socket.destroy() });
    await new Promise((resolve) => socket.once('readable', resolve));
    return {
      async rest() {
        const chunks: Buffer[] = [];
        await new Promise((resolve) => {
          socket.on('data', (chunk) => chunks.push(chunk));
          socket.once('close', resolve).on('error', () => undefined);
        });
        return [Buffer.concat(chunks).toString()];
      },
    };
  }
});

describe('the end of the process', () => {
  it('ends the streams at once, and waiting long polls too', async () => {
    const own = await startTestApi();
    const reader = await live({}, own.url);
    const headers = { authorization: `Bearer ${STAFF_TOKEN}` };
    const page = call(`${own.url}/stream/v1/pings?wait=30`, 'GET', undefined, headers);
    await until(async () => /waiting"\} 1/.test((await call(`${own.url}/metrics`, 'GET', undefined, {})).text));
    const began = performance.now();
    await own.close();
    expect(performance.now() - began).toBeLessThan(5_000);
    expect((await page).body).toMatchObject({ pings: [], next: 0 });
    await until(() => reader.over);
  });
});
