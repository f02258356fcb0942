import { beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../../test/support/fixed-clock.js';
import { createBreaker, RecordDouble } from '../../../../test/support/pings/platform-breakers.js';
import { breakerOf, type CircuitBreaker, CLOSED } from '#delivery-kit/circuit-breaker';
import type { PendingPing } from './ping-ledger.js';
import type { PingOutcome } from './ping-sender.js';
import { LONGEST_PLATFORM_BREAK_MS } from './ping-settings.js';
import type { PlatformCircuitBreaker } from './platform-circuit-breaker.js';

const BREAKER = { failuresToOpen: 3, firstMs: 1_000, maxMs: 4_000 };
const [FOR_MS, PROBE_MS] = [60_000, 20_000];

const DELIVERED: PingOutcome = { error: null, httpStatus: 200, answer: null };
const AWAY: PingOutcome = { answer: null, httpStatus: null, error: 'no answer within 15000 ms' };
const UNSENT: PingOutcome = { answer: null, httpStatus: null, error: 'no secret', unsent: true };
const answered = (httpStatus: number): PingOutcome => ({ answer: null, httpStatus, error: `answered ${httpStatus}` });

let clock: FixedClock;
let record: RecordDouble;
let platform: (orderId: string) => PingOutcome | Promise<PingOutcome>;
let sent: string[];
let circuitBreaker: PlatformCircuitBreaker;
beforeEach(() => {
  clock = new FixedClock();
  record = new RecordDouble(clock);
  platform = () => DELIVERED;
  sent = [];
  circuitBreaker = worker();
});

/** All workers share a record. */
function worker(): PlatformCircuitBreaker {
  const send = async ({ orderId }: { orderId: string }) => {
    sent.push(orderId);
    return await platform(orderId);
  };
  return createBreaker({ send }, clock, { record, breaker: BREAKER, forMs: FOR_MS, probeMs: PROBE_MS });
}

function ping(orderId: string, dueSince = clock.now()): PendingPing {
  const rest = { sequence: 1, clientId: 'cli_1', refId: null, transactionId: 'txn-1', traceparent: null, tries: 0 };
  return { ...rest, orderId, dueSince, nextTryAt: dueSince };
}

async function fail(
  orders: readonly string[],
  by: PlatformCircuitBreaker = circuitBreaker,
  outcome = AWAY,
): Promise<void> {
  platform = () => outcome;
  for (const orderId of orders) await by.send(ping(orderId));
}

/** The breaker opens, and its first wait is over. */
async function probeIsDue(): Promise<void> {
  await fail(['a', 'b', 'c']);
  clock.advance(BREAKER.firstMs);
  sent.length = 0;
}

/** A probe in flight, and a function that ends it. */
async function startProbe(): Promise<{ end: (outcome: PingOutcome) => Promise<unknown> }> {
  await probeIsDue();
  let answer = (_outcome: PingOutcome) => undefined as void;
  platform = () => new Promise<PingOutcome>((resolve) => (answer = resolve));
  const probe = circuitBreaker.send(ping('d'));
  while (sent.length === 0) await Promise.resolve();
  return {
    end: async (outcome) => {
      answer(outcome);
      return await probe;
    },
  };
}

describe('a circuit breaker', () => {
  it('opens after failures of so many orders in a row, and then holds pings back', async () => {
    await fail(['a', 'b']);
    expect(circuitBreaker.isClosed).toBe(true);
    await fail(['c']);
    expect(circuitBreaker.isClosed).toBe(false);
    platform = () => DELIVERED;
    clock.advance(BREAKER.firstMs - 1);
    expect(await circuitBreaker.send(ping('d'))).toBeUndefined();
    expect(sent).toEqual(['a', 'b', 'c']);
  });

  it('admits a probe if it is open for longer than possible', async () => {
    await fail(['a', 'b', 'c']);
    const due = [{ dueSince: clock.now() }, { dueSince: clock.now() }];
    expect(circuitBreaker.admitted(due)).toEqual([]);
    clock.advance(-3_600_000);
    expect(circuitBreaker.admitted(due)).toEqual(due.slice(0, 1));
  });

  it.each([
    ['nobody answers', AWAY],
    ['500', answered(500)],
    ['503', answered(503)],
  ])('counts a failure when %s', async (_what, outcome) => {
    await fail(['a', 'b', 'c'], circuitBreaker, outcome);
    expect(circuitBreaker.isClosed).toBe(false);
  });

  it.each([
    ['a delivery', DELIVERED],
    ['200 without the order', answered(200)],
    ['301', answered(301)],
    ['401', answered(401)],
    ['404', answered(404)],
    ['429', answered(429)],
  ])('knows by %s that the platform is up', async (_what, outcome) => {
    await fail(['a', 'b']);
    await fail(['c'], circuitBreaker, outcome);
    await fail(['a', 'b']);
    expect(circuitBreaker.isClosed).toBe(true);
    await fail(['c']);
    expect(circuitBreaker.isClosed).toBe(false);
  });

  it('stays closed if only one order fails, however often', async () => {
    await fail(Array.from({ length: 50 }, () => 'a'));
    expect(circuitBreaker.isClosed).toBe(true);
    for (let round = 0; round < 50; round += 1) {
      await fail(['a', 'b']);
      platform = () => DELIVERED;
      await circuitBreaker.send(ping(`fine ${round}`));
    }
    expect(circuitBreaker.isClosed).toBe(true);
  });

  it('ignores pings that could not be signed', async () => {
    await fail(['a', 'b', 'c', 'd', 'e'], circuitBreaker, UNSENT);
    await fail(['f', 'g']);
    await fail(['h'], circuitBreaker, UNSENT);
    expect(circuitBreaker.isClosed).toBe(true);
    await fail(['i']);
    expect(circuitBreaker.isClosed).toBe(false);
  });

  it('does not access the database while it is closed', async () => {
    for (let order = 0; order < 100; order += 1) await circuitBreaker.send(ping(`${order}`));
    await fail(['a', 'b']);
    expect(record.calls).toBe(0);
  });
});

describe('an open breaker', () => {
  it('admits one probe when its wait is over, and nothing else', async () => {
    const { end } = await startProbe();
    expect(await Promise.all([circuitBreaker.send(ping('e')), circuitBreaker.send(ping('f'))])).toEqual([
      undefined,
      undefined,
    ]);
    expect(await end(DELIVERED)).toBe(DELIVERED);
    expect(sent).toEqual(['d']);
    expect(circuitBreaker.isClosed).toBe(true);
    expect(record.breaker).toBe(CLOSED);
  });

  it('admits one of many concurrent pings', async () => {
    await probeIsDue();
    platform = () => AWAY;
    const outcomes = await Promise.all(['d', 'e', 'f', 'g'].map((orderId) => circuitBreaker.send(ping(orderId))));
    expect(outcomes.filter((outcome) => outcome !== undefined)).toEqual([AWAY]);
    expect(sent).toHaveLength(1);
  });

  it('waits longer after each failed probe, up to its maximum', async () => {
    await fail(['a', 'b', 'c']);
    const waits: number[] = [];
    for (let probe = 0; probe < 5; probe += 1) {
      const from = clock.now();
      while ((await circuitBreaker.send(ping(`probe ${probe}`))) === undefined) clock.advance(100);
      waits.push(clock.now() - from);
    }
    // The longest wait is spread over the last fifth of 4 s. This is its start.
    expect(waits).toEqual([1_000, 2_000, 3_200, 3_200, 3_200]);
  });

  it('makes the last try of a ping on time, and closes if that is answered', async () => {
    await fail(['a', 'b', 'c']);
    const old = ping('old', clock.now() - FOR_MS);
    expect(await circuitBreaker.send(old)).toBe(AWAY);
    expect(await circuitBreaker.send(ping('young', clock.now() - FOR_MS + 1))).toBeUndefined();
    expect(circuitBreaker.isClosed).toBe(false);
    platform = () => DELIVERED;
    await circuitBreaker.send(old);
    expect(circuitBreaker.isClosed).toBe(true);
  });

  it('is not opened again by failures next to the probe', async () => {
    const { end } = await startProbe();
    platform = () => AWAY;
    await circuitBreaker.send(ping('old', clock.now() - FOR_MS));
    expect(record.breaker).toMatchObject({ state: 'half_open', openings: 1 });
    await end(AWAY);
    expect(record.breaker).toMatchObject({ state: 'open', openings: 2, openUntil: clock.now() + 2_000 });
  });

  it('lets the next ping probe if the first one could not be signed', async () => {
    await probeIsDue();
    await fail(['d'], circuitBreaker, UNSENT);
    platform = () => DELIVERED;
    expect(await circuitBreaker.send(ping('e'))).toBe(DELIVERED);
  });

  it('is closed by a response to a ping that was in flight when it opened', async () => {
    let answer = (_outcome: PingOutcome) => undefined as void;
    platform = () => new Promise<PingOutcome>((resolve) => (answer = resolve));
    const slow = circuitBreaker.send(ping('slow'));
    await fail(['a', 'b', 'c']);
    expect(circuitBreaker.isClosed).toBe(false);
    answer(DELIVERED);
    await slow;
    expect(circuitBreaker.isClosed).toBe(true);
  });

  it('notifies the listener when it closes', async () => {
    let closed = 0;
    circuitBreaker.onClosed(() => (closed += 1));
    const { end } = await startProbe();
    expect(closed).toBe(0);
    await end(answered(404));
    expect(closed).toBe(1);
  });
});

describe('the waits of the breaker', () => {
  it.each([
    { retry: { firstMs: 5_000, maxMs: 36_000_000 }, waits: [5_000, 8_000, 8_000] },
    { retry: { firstMs: 100, maxMs: 500 }, waits: [100, 200, 400, 400] },
    { retry: { firstMs: 60_000, maxMs: 36_000_000 }, waits: [8_000, 8_000] },
  ])('start with the first of $retry, and end with its longest or 10 s', async ({ retry, waits }) => {
    const breaker = breakerOf(retry, LONGEST_PLATFORM_BREAK_MS);
    circuitBreaker = createBreaker({ send: async () => AWAY }, clock, {
      record,
      breaker,
      forMs: FOR_MS * 10,
      probeMs: PROBE_MS,
    });
    for (let order = 0; order < 9; order += 1) await circuitBreaker.send(ping(`${order}`));
    expect(circuitBreaker.isClosed).toBe(true);
    await circuitBreaker.send(ping('tenth'));
    for (const wait of waits) {
      // Spread over the last fifth before the longest. Without jitter it is the start of that.
      clock.advance(wait - 1);
      expect(await circuitBreaker.send(ping('probe'))).toBeUndefined();
      clock.advance(1);
      expect(await circuitBreaker.send(ping('probe'))).toBe(AWAY);
    }
  });
});

describe('of the due pings, longest waiting first, a circuit breaker', () => {
  const due = () => [0, 1, FOR_MS, FOR_MS - 1].map((agoMs) => ({ agoMs, dueSince: clock.now() - agoMs }));
  const admitted = () => circuitBreaker.admitted(due()).map(({ agoMs }) => agoMs);

  it('admits all while it is closed', () => {
    expect(admitted()).toEqual([0, 1, FOR_MS, FOR_MS - 1]);
  });

  it('admits those in their last try while it is open, and the first one when a probe is due', async () => {
    await fail(['a', 'b', 'c']);
    expect(admitted()).toEqual([FOR_MS]);
    clock.advance(BREAKER.firstMs);
    expect(admitted()).toEqual([0, FOR_MS]);
    await fail(['d']);
    expect(admitted()).toEqual([FOR_MS]);
  });
});

describe('of several workers', () => {
  it('each opens its own breaker, one probes, and all notice that the platform is back', async () => {
    const other = worker();
    await fail(['a', 'b', 'c']);
    await other.refresh();
    expect(other.isClosed).toBe(true);
    await fail(['a', 'b', 'c'], other);
    clock.advance(BREAKER.firstMs);
    sent.length = 0;
    platform = () => AWAY;
    const outcomes = await Promise.all([circuitBreaker.send(ping('d')), other.send(ping('e'))]);
    expect(outcomes.filter((outcome) => outcome !== undefined)).toHaveLength(1);
    clock.advance(2_000);
    platform = () => DELIVERED;
    expect(await circuitBreaker.send(ping('f'))).toBe(DELIVERED);
    expect(other.isClosed).toBe(false);
    let closed = 0;
    other.onClosed(() => (closed += 1));
    await other.refresh();
    expect(other.isClosed).toBe(true);
    expect(closed).toBe(1);
    await fail(['a', 'b', 'c'], other);
    expect(other.isClosed).toBe(false);
  });

  it('one that wants to probe notices that another worker was successful, and sends', async () => {
    const other = worker();
    await fail(['a', 'b', 'c'], other);
    await probeIsDue();
    platform = () => DELIVERED;
    await circuitBreaker.send(ping('d'));
    expect(await Promise.all([other.send(ping('e')), other.send(ping('f'))])).toEqual([DELIVERED, undefined]);
    expect(other.isClosed).toBe(true);
  });

  it('another one probes if the one that claimed the probe is gone', async () => {
    const other = worker();
    await fail(['a', 'b', 'c'], other);
    await startProbe();
    await other.refresh();
    clock.advance(PROBE_MS - 1);
    expect(await other.send(ping('e'))).toBeUndefined();
    clock.advance(1);
    platform = () => DELIVERED;
    expect(await other.send(ping('e'))).toBe(DELIVERED);
    expect(record.breaker).toBe(CLOSED);
  });

  it('another one takes over the open breaker of a worker that is gone', async () => {
    await fail(['a', 'b', 'c']);
    const other = worker();
    clock.advance(BREAKER.firstMs + 9_999);
    await other.refresh();
    expect(other.isClosed).toBe(true);
    clock.advance(1);
    await other.refresh();
    expect(other.isClosed).toBe(false);
    platform = () => DELIVERED;
    await other.send(ping('d'));
    expect(record.breaker).toBe(CLOSED);
  });

  it('none adopts a state that was read before its own change', async () => {
    let answer = (_breaker: CircuitBreaker) => undefined as void;
    record.read = () => new Promise<CircuitBreaker>((resolve) => (answer = resolve));
    const looking = circuitBreaker.refresh();
    await fail(['a', 'b', 'c']);
    answer(CLOSED);
    await looking;
    expect(circuitBreaker.isClosed).toBe(false);
  });

  it('none adopts a state that was read before its own change was written', async () => {
    let written = () => undefined as void;
    record.save = (breaker) =>
      new Promise<void>((resolve) => {
        written = () => {
          record.breaker = breaker;
          resolve();
        };
      });
    const failing = fail(['a', 'b', 'c']);
    while (circuitBreaker.isClosed) await Promise.resolve();
    const looking = circuitBreaker.refresh();
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    written();
    await Promise.all([failing, looking]);
    expect(circuitBreaker.isClosed).toBe(false);
  });

  it('none waits longer than until the next refresh for a probe that could not be claimed', async () => {
    await probeIsDue();
    const claim = record.claim.bind(record);
    record.claim = () => Promise.reject(new Error('the database is away'));
    await expect(circuitBreaker.send(ping('d'))).rejects.toThrow('away');
    record.claim = claim;
    await circuitBreaker.refresh();
    platform = () => DELIVERED;
    expect(await circuitBreaker.send(ping('d'))).toBe(DELIVERED);
  });
});
