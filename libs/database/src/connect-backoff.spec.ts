import { DatabaseError } from 'pg';
import { describe, expect, it } from 'vitest';
import { ScriptedRandomness } from '../../../test/support/fixed-clock.js';
import { ConnectBackoff } from './connect-backoff.js';

const unreachable = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const rejection = (code: string) => Object.assign(new DatabaseError('refused', 1, 'error'), { code });

/** A server that throws `error`, or accepts connections without one. Waits end at once, and are recorded. */
function simulation(error: Error | undefined, fraction = 0) {
  const state = { error: error, attempts: 0 };
  const waits: number[] = [];
  const backoff = new ConnectBackoff(new ScriptedRandomness(fraction), async (ms) => void waits.push(ms));
  const connect = () =>
    backoff.run(async () => {
      state.attempts += 1;
      if (state.error) throw state.error;
      return 'connected';
    });
  return { state, waits, connect };
}

const failing = (connect: () => Promise<string>) => connect().catch(() => 'failed');

describe('while the server cannot be reached', () => {
  it('the waits before an attempt grow to 1 s, and jitter halves them at most', async () => {
    for (const [fraction, expected] of [
      [1, [100, 200, 400, 800, 1_000, 1_000]],
      [0, [50, 100, 200, 400, 500, 500]],
    ] as const) {
      const { waits, connect } = simulation(unreachable(), fraction);
      for (let attempt = 1; attempt <= 7; attempt += 1) await failing(connect);
      expect(waits).toEqual(expected);
    }
  });

  it('there is one attempt at a time for all callers, and all fail with it', async () => {
    const { state, waits, connect } = simulation(unreachable());
    await failing(connect);
    for (let round = 1; round <= 5; round += 1) {
      const all = await Promise.all(Array.from({ length: 50 }, () => failing(connect)));
      expect(new Set(all)).toEqual(new Set(['failed']));
    }
    expect(state.attempts).toBe(6);
    expect(waits).toHaveLength(5);
  });
});

it('all connect when the server is back, and nobody waits afterwards', async () => {
  const { state, waits, connect } = simulation(unreachable());
  await failing(connect);
  state.error = undefined;
  expect(await Promise.all([connect(), connect(), connect()])).toEqual(['connected', 'connected', 'connected']);
  expect(await connect()).toBe('connected');
  expect(waits).toHaveLength(1);
});

it.each([
  ['a server that starts', '57P03', 1],
  ['a login that is refused', '28P01', 0],
  ['a server without a free connection', '53300', 0],
])('after %s (%s) %i of the next attempts waits', async (_name, code, count) => {
  const { waits, connect } = simulation(rejection(code));
  await failing(connect);
  await failing(connect);
  expect(waits).toHaveLength(count);
});
