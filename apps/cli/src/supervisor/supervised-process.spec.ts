import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SupervisedProcess } from './supervised-process.js';

/** Each launch returns a process whose end the test decides. */
function launches() {
  const launched: { end(how: string): void; stopped: boolean; killed: boolean }[] = [];
  const launch = async () => {
    const control = { end: (_how: string): void => undefined, stopped: false, killed: false };
    const ended = new Promise<string>((end) => (control.end = end));
    launched.push(control);
    const stop = async () => {
      control.stopped = true;
    };
    const kill = () => void (control.killed = true);
    return { ended, stop, kill };
  };
  return { made: launched, launch };
}

describe('a supervised process', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is restarted after waits that double up to 30 s', async () => {
    const { made, launch } = launches();
    const lines: string[] = [];
    const supervised = new SupervisedProcess('api', launch, (line) => lines.push(line));
    await supervised.start();
    const waits: number[] = [];
    for (let crash = 0; crash < 10; crash += 1) {
      made.at(-1)?.end('SIGKILL');
      const began = Date.now();
      while (made.length < crash + 2) await vi.advanceTimersByTimeAsync(100);
      waits.push(Date.now() - began);
    }
    expect(waits).toEqual([200, 400, 800, 1600, 3200, 6400, 12800, 25600, 30000, 30000]);
    expect(lines[0]).toBe('Willcall: api ended (SIGKILL), starting it again in 200 ms');
    await supervised.stop();
    expect(made.map(({ stopped }) => stopped)).toEqual([...made.slice(1).map(() => false), true]);
  });

  it('is restarted after a short wait again once it ran well', async () => {
    const { made, launch } = launches();
    const supervised = new SupervisedProcess('api', launch, () => undefined);
    await supervised.start();
    for (const ranForMs of [0, 0, 0, 61_000]) {
      await vi.advanceTimersByTimeAsync(ranForMs);
      made.at(-1)?.end('SIGKILL');
      await vi.advanceTimersByTimeAsync(ranForMs > 0 ? 200 : 2_000);
    }
    expect(made).toHaveLength(5);
    await supervised.stop();
  });

  it('is retried if it cannot be started, until it is stopped', async () => {
    const { made, launch } = launches();
    const lines: string[] = [];
    let refusals = 0;
    const failing = async () => {
      if (made.length === 0) return launch();
      refusals += 1;
      throw new Error('address in use');
    };
    const supervised = new SupervisedProcess('PostgreSQL', failing, (line) => lines.push(line));
    await supervised.start();
    made[0]?.end('killed');
    await vi.advanceTimersByTimeAsync(700);
    expect(refusals).toBe(2);
    expect(lines.at(-1)).toBe('Willcall: PostgreSQL ended (address in use), starting it again in 800 ms');
    await supervised.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(refusals).toBe(2);
  });

  it('is stopped even during a restart', async () => {
    const { made, launch } = launches();
    let open = (): void => undefined;
    const gate = new Promise<void>((done) => (open = done));
    const slow = async () => {
      if (made.length > 0) await gate;
      return launch();
    };
    const supervised = new SupervisedProcess('api', slow, () => undefined);
    await supervised.start();
    made[0]?.end('SIGKILL');
    await vi.advanceTimersByTimeAsync(200);
    const stopped = supervised.stop();
    open();
    await stopped;
    expect(made.map((process) => process.stopped)).toEqual([false, true]);
  });

  it('tells a running launch to give up, the first one too', async () => {
    for (const launches of [1, 2]) {
      let under = 0;
      const launch = (stopping: AbortSignal) => {
        under += 1;
        const ended = Promise.resolve('SIGKILL');
        if (under < launches) return Promise.resolve({ ended, stop: async () => undefined, kill: () => undefined });
        return new Promise<never>((_, reject) => {
          stopping.addEventListener('abort', () => reject(new Error('given up')));
        });
      };
      const supervised = new SupervisedProcess('PostgreSQL', launch, () => undefined);
      const started = supervised.start().catch((error: Error) => error.message);
      await vi.advanceTimersByTimeAsync(200);
      await supervised.stop();
      expect(await started).toBe(launches === 1 ? 'given up' : undefined);
      expect(under).toBe(launches);
    }
  });

  it('is killed, whichever process is the current one', async () => {
    const { made, launch } = launches();
    const supervised = new SupervisedProcess('api', launch, () => undefined);
    supervised.kill();
    await supervised.start();
    made[0]?.end('SIGKILL');
    await vi.advanceTimersByTimeAsync(200);
    supervised.kill();
    expect(made.map(({ killed }) => killed)).toEqual([false, true]);
    await supervised.stop();
  });
});
