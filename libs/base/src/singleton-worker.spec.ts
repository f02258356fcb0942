import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type LockContext, type LockSession, type SessionLock, SingletonWorker } from './singleton-worker.js';

/** A lock in memory with numbered sessions. */
class FakeLock implements SessionLock<number> {
  holder: number | undefined;
  private sessions = 0;

  async session(use: (session: LockSession<number>) => Promise<void>): Promise<void> {
    const client = (this.sessions += 1);
    const tryLock = () => {
      this.holder ??= client;
      return Promise.resolve(this.holder === client);
    };
    const unlock = () => Promise.resolve(this.release(client));
    await use({ client, tryLock, unlock }).finally(() => this.release(client));
  }

  private release(client: number): void {
    if (this.holder === client) this.holder = undefined;
  }
}

class Counting extends SingletonWorker<number> {
  rounds: number[] = [];
  error: Error | undefined;

  protected override async work({ client, stopping, succeeded, pause }: LockContext<number>): Promise<void> {
    while (!stopping()) {
      if (this.error) throw this.error;
      this.rounds.push(client);
      succeeded();
      await pause(10_000);
    }
  }
}

describe('a singleton worker', () => {
  let lock: FakeLock;
  let errors: unknown[];
  beforeEach(() => {
    vi.useFakeTimers();
    [lock, errors] = [new FakeLock(), []];
  });
  afterEach(() => void vi.useRealTimers());

  const worker = () => new Counting({ lock, onError: (error) => errors.push(error) });

  it('works in only one process, and within 2 s in another one when that stops', async () => {
    const [first, second] = [worker(), worker()];
    first.start();
    await vi.advanceTimersByTimeAsync(0);
    second.start();
    await vi.advanceTimersByTimeAsync(5_000);
    expect([first.holdsLock, second.holdsLock]).toEqual([true, false]);
    expect(second.iterations).toBeGreaterThan(3);
    await first.stop();
    await vi.advanceTimersByTimeAsync(2_000);
    expect([first.holdsLock, second.holdsLock, second.rounds.length]).toEqual([false, true, 1]);
    await second.stop();
  });

  it('continues at once when it is woken', async () => {
    const only = worker();
    only.start();
    await vi.advanceTimersByTimeAsync(1);
    only.wake();
    await vi.advanceTimersByTimeAsync(1);
    expect(only.rounds).toHaveLength(2);
    await only.stop();
  });

  it('releases the lock when the work fails, and retries after growing waits', async () => {
    const only = worker();
    only.error = new Error('the connection is lost');
    only.start();
    await vi.advanceTimersByTimeAsync(0);
    expect([errors.length, only.holdsLock, lock.holder]).toEqual([1, false, undefined]);
    await vi.advanceTimersByTimeAsync(299);
    expect(errors).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(errors).toHaveLength(3);
    only.error = undefined;
    await vi.advanceTimersByTimeAsync(500);
    expect([only.holdsLock, only.rounds]).toEqual([true, [4]]);
    await only.stop();
    expect(lock.holder).toBeUndefined();
  });
});
