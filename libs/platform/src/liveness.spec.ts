import { expect, it } from 'vitest';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { Liveness } from './liveness.js';

const CHECK_EVERY_MS = 5_000;

/** A process with one part, which may stall, and a database that may be unreachable. */
function process() {
  const clock = new FixedClock();
  const state = { turns: 0, works: true, answers: true, asked: 0 };
  const liveness = new Liveness(clock, async () => {
    state.asked += 1;
    return state.answers;
  });
  liveness.watch({ name: 'ping sweep', progress: () => state.turns, withinMs: 60_000 });
  const pass = async (seconds: number) => {
    for (let ms = 0; ms < seconds * 1_000; ms += CHECK_EVERY_MS) {
      clock.advance(CHECK_EVERY_MS);
      if (state.works) state.turns += 1;
      await liveness.check();
    }
  };
  return { clock, liveness, state, pass };
}

it('a working process is alive, and the database is not queried', async () => {
  const { liveness, state, pass } = process();
  await pass(600);
  expect(liveness.reason).toBeUndefined();
  expect(state.asked).toBe(0);
});

it('a part that stalls for too long is reported at the second check', async () => {
  const { liveness, state, pass } = process();
  state.works = false;
  await pass(65);
  expect(liveness.reason).toBeUndefined();
  await pass(5);
  expect(liveness.reason).toBe('ping sweep: nothing done for 70 s, although the database answers on a new connection');
});

it('a part that makes progress again is no longer reported', async () => {
  const { liveness, state, pass } = process();
  state.works = false;
  await pass(120);
  state.works = true;
  await pass(5);
  expect(liveness.reason).toBeUndefined();
});

it('an unreachable database is not reported, and each part gets its full time once it is back', async () => {
  const { liveness, state, pass } = process();
  [state.works, state.answers] = [false, false];
  await pass(3_600);
  expect(liveness.reason).toBeUndefined();
  state.answers = true;
  await pass(55);
  expect(liveness.reason).toBeUndefined();
  await pass(20);
  expect(liveness.reason).toContain('ping sweep');
});

it('a process that was suspended, or whose machine slept, is not restarted', async () => {
  const { clock, liveness, state, pass } = process();
  clock.advance(3_600_000);
  await liveness.check();
  expect(liveness.reason).toBeUndefined();
  await pass(60);
  expect(liveness.reason).toBeUndefined();
  expect(state.asked).toBe(1);
});
