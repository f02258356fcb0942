import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Repeater } from './repeater.js';

describe('a repeater', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('pauses between the end of a task and the start of the next', async () => {
    let started = 0;
    let finish = () => undefined as void;
    const task = () => {
      started += 1;
      return new Promise<void>((resolve) => (finish = resolve));
    };
    const repeater = new Repeater(task, 100, () => undefined);
    repeater.start();
    await vi.advanceTimersByTimeAsync(99);
    expect(started).toBe(0);
    await vi.advanceTimersByTimeAsync(901);
    expect(started).toBe(1);
    finish();
    await vi.advanceTimersByTimeAsync(100);
    expect(started).toBe(2);
  });

  it('that is told to hurry does its task at once, and once more when it is at it', async () => {
    let started = 0;
    let finish = () => undefined as void;
    const task = () => {
      started += 1;
      return new Promise<void>((resolve) => (finish = resolve));
    };
    const repeater = new Repeater(task, 100, () => undefined);
    repeater.start();
    repeater.hurry();
    await vi.advanceTimersByTimeAsync(1);
    expect(started).toBe(1);
    repeater.hurry();
    repeater.hurry();
    await vi.advanceTimersByTimeAsync(500);
    expect(started).toBe(1);
    finish();
    await vi.advanceTimersByTimeAsync(1);
    expect(started).toBe(2);
    finish();
    await vi.advanceTimersByTimeAsync(99);
    expect(started).toBe(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(started).toBe(3);
    const stopping = repeater.stop();
    repeater.hurry();
    finish();
    await stopping;
    await vi.advanceTimersByTimeAsync(500);
    expect(started).toBe(3);
  });

  it('reports what goes wrong and goes on', async () => {
    const faults: unknown[] = [];
    const repeater = new Repeater(
      () => Promise.reject(new Error('away')),
      100,
      (fault) => faults.push(fault),
    );
    repeater.start();
    await vi.advanceTimersByTimeAsync(250);
    expect(faults).toEqual([new Error('away'), new Error('away')]);
    await repeater.stop();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(faults).toHaveLength(2);
  });

  it('is stopped when its task in hand has ended', async () => {
    let finish = () => undefined as void;
    let started = 0;
    const task = () => {
      started += 1;
      return new Promise<void>((resolve) => (finish = resolve));
    };
    const repeater = new Repeater(task, 100, () => undefined);
    repeater.start();
    await vi.advanceTimersByTimeAsync(100);
    let stopped = false;
    const stopping = repeater.stop().then(() => (stopped = true));
    await vi.advanceTimersByTimeAsync(100);
    expect(stopped).toBe(false);
    finish();
    await stopping;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(started).toBe(1);
  });
});
