import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Repeater } from './repeater.js';

/** Counts the starts. Each run lasts until the test finishes it. */
class Task {
  started = 0;
  finish = (): void => undefined;

  readonly run = (): Promise<void> => {
    this.started += 1;
    return new Promise<void>((resolve) => (this.finish = resolve));
  };
}

describe('a repeater', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('pauses between the end of a run and the start of the next', async () => {
    const task = new Task();
    const repeater = new Repeater(task.run, { everyMs: 100 }, () => undefined);
    repeater.start();
    await vi.advanceTimersByTimeAsync(99);
    expect(task.started).toBe(0);
    await vi.advanceTimersByTimeAsync(901);
    expect(task.started).toBe(1);
    task.finish();
    await vi.advanceTimersByTimeAsync(100);
    expect(task.started).toBe(2);
  });

  it('pauses for another time before the first run', async () => {
    const task = new Task();
    const repeater = new Repeater(task.run, { everyMs: 100, firstAfterMs: 10 }, () => undefined);
    repeater.start();
    await vi.advanceTimersByTimeAsync(10);
    expect(task.started).toBe(1);
    task.finish();
    await vi.advanceTimersByTimeAsync(99);
    expect(task.started).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(task.started).toBe(2);
  });

  it('runs at once when it is woken, and once more after a current run', async () => {
    const task = new Task();
    const repeater = new Repeater(task.run, { everyMs: 100 }, () => undefined);
    repeater.start();
    repeater.wake();
    await vi.advanceTimersByTimeAsync(1);
    expect(task.started).toBe(1);
    repeater.wake();
    repeater.wake();
    await vi.advanceTimersByTimeAsync(500);
    expect(task.started).toBe(1);
    task.finish();
    await vi.advanceTimersByTimeAsync(1);
    expect(task.started).toBe(2);
    task.finish();
    await vi.advanceTimersByTimeAsync(99);
    expect(task.started).toBe(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(task.started).toBe(3);
    const stopping = repeater.stop();
    repeater.wake();
    task.finish();
    await stopping;
    await vi.advanceTimersByTimeAsync(500);
    expect(task.started).toBe(3);
  });

  it('reports errors and continues', async () => {
    const errors: unknown[] = [];
    const repeater = new Repeater(
      () => Promise.reject(new Error('away')),
      { everyMs: 100 },
      (error) => errors.push(error),
    );
    repeater.start();
    await vi.advanceTimersByTimeAsync(250);
    expect(errors).toEqual([new Error('away'), new Error('away')]);
    await repeater.stop();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(errors).toHaveLength(2);
  });

  describe('with an idle pause', () => {
    const started = async (run: () => Promise<boolean | void>, act: (repeater: Repeater) => Promise<void>) => {
      const starts: number[] = [];
      const repeater = new Repeater(
        () => {
          starts.push(Date.now() - began);
          return run();
        },
        { everyMs: 100, idleMs: 400 },
        () => undefined,
      );
      const began = Date.now();
      repeater.start();
      await act(repeater);
      await repeater.stop();
      return starts;
    };
    const nothing = () => Promise.resolve();

    it('rests longer after a run that found nothing', async () => {
      const results = [true, true, false, true];
      const run = () => Promise.resolve(results.shift());
      expect(await started(run, async () => void (await vi.advanceTimersByTimeAsync(1_250)))).toEqual([
        100, 200, 300, 700, 800, 1_200,
      ]);
    });

    it('takes the usual pause when it is nudged', async () => {
      const starts = await started(nothing, async (repeater) => {
        await vi.advanceTimersByTimeAsync(350);
        repeater.nudge();
        for (let ms = 350; ms < 700; ms += 10) {
          await vi.advanceTimersByTimeAsync(10);
          repeater.nudge();
        }
        await vi.advanceTimersByTimeAsync(600);
      });
      expect(starts).toEqual([100, 450, 550, 650, 750, 1_150]);
    });

    it('runs at once when it is woken meanwhile, and not after its end', async () => {
      const starts = await started(nothing, async (repeater) => {
        await vi.advanceTimersByTimeAsync(150);
        repeater.wake();
        await vi.advanceTimersByTimeAsync(100);
        await repeater.stop();
        repeater.nudge();
        await vi.advanceTimersByTimeAsync(1_000);
      });
      expect(starts).toEqual([100, 150]);
    });
  });

  it('stops when its current run has ended', async () => {
    const task = new Task();
    const repeater = new Repeater(task.run, { everyMs: 100 }, () => undefined);
    repeater.start();
    await vi.advanceTimersByTimeAsync(100);
    let stopped = false;
    const stopping = repeater.stop().then(() => (stopped = true));
    await vi.advanceTimersByTimeAsync(100);
    expect(stopped).toBe(false);
    task.finish();
    await stopping;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(task.started).toBe(1);
  });
});
