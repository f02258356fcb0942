import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Deadline } from './deadline.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a deadline', () => {
  it('aborts when its time is over, and each extension restarts it', () => {
    const deadline = new Deadline(100);
    vi.advanceTimersByTime(99);
    deadline.extend();
    vi.advanceTimersByTime(99);
    expect(deadline.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(deadline.signal.reason).toMatchObject({ name: 'TimeoutError' });
  });

  it('stands still while it is held', () => {
    const deadline = new Deadline(100);
    deadline.hold();
    vi.advanceTimersByTime(10_000);
    expect(deadline.signal.aborted).toBe(false);
    deadline.extend();
    vi.advanceTimersByTime(100);
    expect(deadline.signal.aborted).toBe(true);
  });

  it('aborts with the outer signal, even one that is already aborted, and with its reason', () => {
    const outer = new AbortController();
    const before = new Deadline(100, outer.signal);
    outer.abort('enough');
    expect([before, new Deadline(100, outer.signal)].map(({ signal }) => signal.reason as unknown)).toEqual([
      'enough',
      'enough',
    ]);
  });

  it('leaves no timer and no listener behind', () => {
    const outer = new AbortController();
    const removed = vi.spyOn(outer.signal, 'removeEventListener');
    const added = vi.spyOn(outer.signal, 'addEventListener');
    new Deadline(100, outer.signal).end();
    expect(vi.getTimerCount()).toBe(0);
    expect(removed.mock.calls[0]?.slice(0, 2)).toEqual(added.mock.calls[0]?.slice(0, 2));
  });
});
