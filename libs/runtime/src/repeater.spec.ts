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
    const repeater = new Repeater(task.run, 100, () => undefined);
    repeater.start();
    await vi.advanceTimersByTimeAsync(99);
    expect(task.started).toBe(0);
    await vi.advanceTimersByTimeAsync(901);
    expect(task.started).toBe(1);
    task.finish();
    await vi.advanceTimersByTimeAsync(100);
    expect(task.started).toBe(2);
  });

  it('runs at once when it is woken, and once more after a current run', async () => {
    const task = new Task();
    const repeater = new Repeater(task.run, 100, () => undefined);
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
      100,
      (error) => errors.push(error),
    );
    repeater.start();
    await vi.advanceTimersByTimeAsync(250);
    expect(errors).toEqual([new Error('away'), new Error('away')]);
    await repeater.stop();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(errors).toHaveLength(2);
  });

  it('stops when its current run has ended', async () => {
    const task = new Task();
    const repeater = new Repeater(task.run, 100, () => undefined);
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
