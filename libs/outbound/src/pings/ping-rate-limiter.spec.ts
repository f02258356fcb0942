import { describe, expect, it } from 'vitest';
import { FixedClock } from '../../../../test/support/fixed-clock.js';
import { RecordDouble } from '../../../../test/support/pings/platform-breakers.js';
import { PingRateLimiter } from './ping-rate-limiter.js';

/** The clock stands still, so a wait is exactly what was requested. */
function paced(perSecond: number) {
  const clock = new FixedClock();
  const record = new RecordDouble(clock);
  const pace = () => new PingRateLimiter(record, clock, { perSecond });
  return { clock, record, pace };
}

describe('the rate limit of pings', () => {
  it('of 0 sends everything, and does not access the database', async () => {
    const { record, pace } = paced(0);
    const free = pace();
    expect(free.isLimited).toBe(false);
    expect(await Promise.all(Array.from({ length: 1_000 }, () => free.acquire()))).not.toContain(false);
    expect(record.calls).toBe(0);
  });

  it('gives slots in sequence, across workers, with few statements', async () => {
    const { clock, record, pace } = paced(100);
    const workers = [pace(), pace()];
    const began = performance.now();
    const turns = workers.flatMap((worker) => Array.from({ length: 20 }, () => worker.acquire()));
    expect(await Promise.all(turns)).not.toContain(false);
    // 40 slots of 10 ms, of which a tenth of a second is sent at once. Timers are early by up to a millisecond.
    expect(performance.now() - began).toBeGreaterThan(280);
    expect(record.calls).toBe(2);
    expect(record.pacedUntil).toBe(clock.now() + 400);
  });

  it('does not keep unused slots', async () => {
    const { clock, record, pace } = paced(1);
    await pace().acquire();
    clock.advance(60_000);
    await pace().acquire();
    expect(record.pacedUntil).toBe(clock.now() + 1_000);
  });

  it('ends the waits when its worker stops', async () => {
    const { clock, record, pace } = paced(1);
    record.pacedUntil = clock.now() + 600_000;
    const slow = pace();
    const waiting = [slow.acquire(), slow.acquire()];
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    slow.stop();
    expect(await Promise.all(waiting)).toEqual([false, false]);
    expect(await slow.acquire()).toBe(false);
  });
});
