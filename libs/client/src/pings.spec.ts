import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entryAt, type Mishap, SimulatedStream } from '../../../test/support/ping-stream/simulated-stream.js';
import type { Interruption } from './following.js';
import type { PingEntry } from './ping-entry.js';
import {
  type EpochChange,
  livePings,
  pings,
  type PingsOptions,
  StreamEpochChanged,
  StreamRequestError,
} from './pings.js';

const READERS = { pings, livePings };
const NAMES = ['pings', 'livePings'] as const;

/** The options of both readers, for a simulated stream and without real waits. */
function reading(stream: SimulatedStream, more: Partial<PingsOptions> = {}) {
  const waits: number[] = [];
  // One turn of the event loop, because otherwise nothing else would run.
  const sleep = (ms: number) => (waits.push(ms), turn());
  const dependencies = { fetch: stream.fetch, sleep, random: () => 0 };
  return { waits, options: { url: 'https://tickets.example/shop/', token: 'wst_1', dependencies, ...more } };
}

async function take(iterator: AsyncIterable<PingEntry>, count: number): Promise<PingEntry[]> {
  const taken: PingEntry[] = [];
  if (count === 0) return taken;
  for await (const entry of iterator) {
    taken.push(entry);
    if (taken.length === count) break;
  }
  return taken;
}

const mishap: fc.Arbitrary<Mishap> = fc.oneof(
  fc.record({ kind: fc.constantFrom('no connection', 'proxy page') }),
  fc.record({ kind: fc.constant('status'), status: fc.constantFrom(408, 429, 500, 502, 503, 504) }),
  fc.record({ kind: fc.constantFrom('cut', 'end'), afterBytes: fc.nat(2_000) }),
  fc.record({ kind: fc.constant('repeat'), entries: fc.integer({ min: 1, max: 5 }) }),
);
const positions = fc.uniqueArray(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 20 });

describe.each(NAMES)('%s', (name) => {
  const read = READERS[name];

  it('returns every entry once and in order, whatever happens to the connections', async () => {
    const script = fc.array(mishap, { maxLength: 12 });
    const run = async (numbers: number[], mishaps: Mishap[], pieceBytes: number, limit: number, from: number) => {
      const entries = numbers.sort((a, b) => a - b).map((position) => entryAt(position));
      const due = entries.filter(({ position }) => position > from);
      const stream = new SimulatedStream(entries, mishaps, pieceBytes);
      const { options } = reading(stream, { limit, after: from });
      expect(await take(read(options), due.length)).toEqual(due);
    };
    const pieces = fc.integer({ min: 1, max: 900 });
    await fc.assert(fc.asyncProperty(positions, script, pieces, fc.integer({ min: 1, max: 7 }), fc.nat(500), run), {
      numRuns: 300,
    });
  });

  it('continues where a reader that died has stopped', async () => {
    const run = async (numbers: number[], mishaps: Mishap[], deliveredCounts: number[]) => {
      const entries = numbers.sort((a, b) => a - b).map((position) => entryAt(position));
      const stream = new SimulatedStream(entries, mishaps);
      const seen: PingEntry[] = [];
      while (seen.length < entries.length) {
        const count = Math.min(deliveredCounts.shift() ?? entries.length, entries.length - seen.length);
        const { options } = reading(stream, { after: seen.at(-1)?.position ?? 0, limit: 3 });
        seen.push(...(await take(read(options), count)));
      }
      expect(seen).toEqual(entries);
    };
    const deliveredCounts = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 20 });
    await fc.assert(fc.asyncProperty(positions, fc.array(mishap, { maxLength: 12 }), deliveredCounts, run), {
      numRuns: 100,
    });
  });

  it('retries after growing waits, and from the first wait after a sign of life', async () => {
    const down: Mishap = { kind: 'status', status: 503 };
    const cut: Mishap = { kind: 'cut', afterBytes: name === 'pings' ? 0 : 400 };
    const stream = new SimulatedStream([entryAt(1), entryAt(2)], [...Array<Mishap>(9).fill(down), cut, down]);
    const interruptions: Interruption[] = [];
    const { waits, options } = reading(stream);
    await take(read({ ...options, onInterruption: (each) => interruptions.push(each) }), 2);
    const growing = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000];
    expect(waits).toEqual([...growing, ...(name === 'pings' ? [30_000, 30_000] : [500, 1_000])]);
    expect(interruptions[0]).toEqual({ reason: 'the answer was 503', waitMs: 500, tries: 1 });
    expect(interruptions[9]?.reason).toBe('the connection failed: ECONNRESET');
  });

  it('waits as long as Retry-After says, at most 30 s', async () => {
    const script: Mishap[] = ['7', '3600'].map((retryAfter) => ({ kind: 'status', status: 503, retryAfter }));
    const { waits, options } = reading(new SimulatedStream([entryAt(1)], script));
    await take(read(options), 1);
    expect(waits).toEqual([7_000, 30_000]);
  });

  it.each([400, 401, 403, 404, 301])('does not ask again after a %i', async (status) => {
    const stream = new SimulatedStream([entryAt(1)], [{ kind: 'status', status }]);
    const rejection = await take(read(reading(stream).options), 1).catch((error: unknown) => error);
    expect(rejection).toBeInstanceOf(StreamRequestError);
    expect(rejection).toMatchObject({ status, errors: [{ code: status * 100 }] });
    expect(stream.requests).toHaveLength(1);
  });

  it('asks where to continue when the database was restored, and returns everything since then', async () => {
    const stream = new SimulatedStream(
      [1, 2, 3, 4].map((at) => entryAt(at)),
      [],
      64,
      'before',
    );
    const changes: EpochChange[] = [];
    const epochs: string[] = [];
    const { options } = reading(stream, {
      after: 2,
      onEpoch: (epoch) => epochs.push(epoch),
      onEpochChange: (change) => (changes.push(change), 1),
    });
    const seen: string[] = [];
    for await (const { position, order_id } of read(options)) {
      seen.push(`${position} ${order_id}`);
      if (seen.length === 2) {
        stream.epoch = 'after';
        stream.entries = [entryAt(1), entryAt(3, 7), entryAt(4, 7), entryAt(5, 7)];
        if (name === 'livePings') stream.cutAll();
      }
      if (seen.length === 5) break;
    }
    expect(seen).toEqual(['3 ord_1', '4 ord_2', '3 ord_7', '4 ord_7', '5 ord_7']);
    expect(changes).toEqual([{ epoch: 'after', last: 5, previous: 'before', after: 4 }]);
    expect(epochs).toEqual(['before', 'after']);
  });

  it('reports a stored position of another epoch before the first entry, and throws without an answer', async () => {
    const stream = new SimulatedStream(
      [1, 2].map((at) => entryAt(at)),
      [],
      64,
      'now',
    );
    const stored = reading(stream, { after: 1, epoch: 'then' }).options;
    const changed = await take(read(stored), 1).catch((error: unknown) => error);
    expect(changed).toBeInstanceOf(StreamEpochChanged);
    expect(changed).toMatchObject({ epoch: 'now', last: 2 });
    expect(await take(read({ ...stored, onEpochChange: async () => 0 }), 2)).toEqual(stream.entries);
    expect(
      await take(read({ ...stored, epoch: undefined!, after: 9, onEpochChange: ({ last }) => last - 1 }), 1),
    ).toEqual([entryAt(2)]);
    await expect(take(read({ ...stored, onEpochChange: () => 3 }), 1)).rejects.toThrow('onEpochChange');
  });

  it('sends its token, its position and its filters', async () => {
    const stream = new SimulatedStream([entryAt(8)]);
    const filters = { status: ['confirmed', 'rejected'], listing_id: 'lst 1' } as const;
    await take(read(reading(stream, { after: 7, filters }).options), 1);
    const [url] = stream.requests;
    expect(url?.origin).toBe('https://tickets.example');
    expect(url?.pathname).toBe(`/shop/stream/v1/pings${name === 'livePings' ? '/live' : ''}`);
    expect(url?.search).toMatch(/^\?status=confirmed&status=rejected&listing_id=lst\+1(&after=7&limit=1000&wait=25)?$/);
    expect(stream.headers[0]?.get('authorization')).toBe('Bearer wst_1');
    expect(stream.resumedAfter).toEqual([7]);
  });

  it('ends without an error when it is aborted at any point', async () => {
    const stop = new AbortController();
    const seen: number[] = [];
    for await (const { position } of read(
      reading(new SimulatedStream([1, 2, 3].map((at) => entryAt(at))), { signal: stop.signal }).options,
    )) {
      seen.push(position);
      if (position === 2) stop.abort();
    }
    expect(seen).toEqual([1, 2]);
    expect(await take(read(reading(new SimulatedStream([entryAt(1)]), { signal: stop.signal }).options), 1)).toEqual(
      [],
    );
    const waiting = new AbortController();
    const { options } = reading(new SimulatedStream([]), { signal: waiting.signal });
    const nothing = take(read(options), 1);
    setImmediate(() => waiting.abort());
    expect(await nothing).toEqual([]);
  });

  it.each([
    ['url', { url: 'tickets.example' }],
    ['token', { token: '' }],
    ['token', { token: 'wst_1\n' }],
    ['after', { after: Number.NaN }],
    ['after', { after: -1 }],
    ['filter', { filters: { status: [] } }],
  ])('throws at once for an invalid %s', (what, wrong) => {
    expect(() => read({ ...reading(new SimulatedStream([])).options, ...wrong })).toThrow(what);
  });
});

describe('pings', () => {
  it('pauses if the server does not hold a request open', async () => {
    const stop = new AbortController();
    const { waits, options } = reading(new SimulatedStream([]), { signal: stop.signal, waitSeconds: 0 });
    const sleep = async (ms: number) => (waits.push(ms) === 3 ? stop.abort() : undefined);
    await take(pings({ ...options, dependencies: { ...options.dependencies, sleep } }), 1);
    expect(waits).toEqual([1_000, 1_000, 1_000]);
  });
});

describe('livePings', () => {
  it('sends no position before its first entry if it skips the past', async () => {
    const stream = new SimulatedStream([entryAt(5)], [{ kind: 'status', status: 503 }]);
    await take(livePings({ ...reading(stream).options, after: 'now' }), 1);
    expect(stream.headers.map((headers) => headers.get('last-event-id'))).toEqual([null, null]);
  });

  it('drops a connection that is silent, even without a heartbeat', async () => {
    const silent = new SimulatedStream([entryAt(1), entryAt(2)], [{ kind: 'repeat', entries: 0 }]);
    const reasons: string[] = [];
    const { options } = reading(silent);
    const onInterruption = ({ reason }: Interruption) => reasons.push(reason);
    const stop = new AbortController();
    const seen: number[] = [];
    const live = livePings({
      ...options,
      signal: stop.signal,
      heartbeatTimeoutMs: 20,
      onInterruption: (each) => {
        if (onInterruption(each) === 2) stop.abort();
      },
    });
    for await (const { position } of live) seen.push(position);
    expect(seen).toEqual([1, 2]);
    expect(reasons).toEqual(['no answer in time', 'no answer in time']);
    expect(silent.resumedAfter).toEqual([0, 2]);
  });

  it("does not count its consumer's time as silence", async () => {
    const stream = new SimulatedStream([entryAt(1), entryAt(2), entryAt(3)], [], 200);
    const reasons: string[] = [];
    const onInterruption = ({ reason }: Interruption) => reasons.push(reason);
    let last = 0;
    for await (const { position } of livePings({
      ...reading(stream).options,
      heartbeatTimeoutMs: 10,
      onInterruption,
    })) {
      last = position;
      if (last === 3) break;
      await pause(30);
    }
    expect([last, reasons]).toEqual([3, []]);
  });

  it('returns the entries before a broken event, and no more', async () => {
    const broken = { ...entryAt(2), sequence: 'two' } as unknown as PingEntry;
    const stream = new SimulatedStream([entryAt(1), broken, entryAt(3)], [], 10_000);
    const stop = new AbortController();
    const seen: number[] = [];
    const reasons: string[] = [];
    const { options } = reading(stream, {
      signal: stop.signal,
      onInterruption: ({ reason }) => (reasons.push(reason), stop.abort()),
    });
    for await (const { position } of livePings(options)) seen.push(position);
    expect(seen).toEqual([1]);
    expect(reasons).toEqual(['an event is not a ping']);
  });
});
