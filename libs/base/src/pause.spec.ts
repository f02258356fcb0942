import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Pause } from './pause.js';

describe('a pause', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('lasts as long as requested', async () => {
    const ended = vi.fn();
    void new Pause().wait(100).then(ended);
    await vi.advanceTimersByTimeAsync(99);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toHaveBeenCalled();
  });

  it('ends when it is woken, and leaves no timer', async () => {
    const pause = new Pause();
    const waiting = pause.wait(100);
    pause.wake();
    await waiting;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('keeps a wake-up between two waits, and counts several as one', async () => {
    const pause = new Pause();
    pause.wake();
    pause.wake();
    await pause.wait(100);
    const ended = vi.fn();
    void pause.wait(100).then(ended);
    await vi.advanceTimersByTimeAsync(99);
    expect(ended).not.toHaveBeenCalled();
  });
});
