import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import {
  RevalidatingCache,
  READ_EVERY_MS,
  REFRESH_AFTER_MS,
  USABLE_FOR_MS,
  WAIT_AFTER_MS,
} from './revalidating-cache.js';

type Answer = { give(value: string): void; fail(): void };

let clock: FixedClock;
let reads: Answer[];
let copy: RevalidatingCache<string>;

beforeEach(() => {
  clock = new FixedClock();
  reads = [];
  copy = new RevalidatingCache(
    () =>
      new Promise<string>((resolve, reject) => {
        reads.push({ give: resolve, fail: () => reject(new Error('database away')) });
      }),
    clock,
  );
});
afterEach(() => vi.useRealTimers());

/** Calls `get`, answers the current read, and returns the value. */
async function getWhile(answer: (reading: Answer) => void): Promise<string> {
  const before = reads.length;
  const got = copy.get();
  for (const reading of reads.slice(before)) answer(reading);
  return got;
}

const gives = (value: string) => (reading: Answer) => reading.give(value);
const fails = (reading: Answer) => reading.fail();

describe('a copy', () => {
  it('is read once for all concurrent first calls', async () => {
    const all = Promise.all([copy.get(), copy.get(), copy.get()]);
    reads[0]?.give('a');
    expect(await all).toEqual(['a', 'a', 'a']);
    expect(reads.length).toBe(1);
  });

  it('is served from memory while it is fresh', async () => {
    await getWhile(gives('a'));
    clock.advance(REFRESH_AFTER_MS - 1);
    expect(await copy.get()).toBe('a');
    expect(reads.length).toBe(1);
  });

  it('is refreshed in the background when it is older', async () => {
    await getWhile(gives('a'));
    clock.advance(REFRESH_AFTER_MS);
    expect(await Promise.all([copy.get(), copy.get()])).toEqual(['a', 'a']);
    expect(reads.length).toBe(2);
    reads[1]?.give('b');
    await vi.waitFor(async () => expect(await copy.get()).toBe('b'));
    expect(reads.length).toBe(2);
  });

  it('makes a call wait when it is too old', async () => {
    await getWhile(gives('a'));
    clock.advance(WAIT_AFTER_MS);
    expect(await getWhile(gives('b'))).toBe('b');
  });

  it('has the age of the start of its read, not of the end', async () => {
    const got = copy.get();
    clock.advance(REFRESH_AFTER_MS);
    reads[0]?.give('a');
    await got;
    clock.advance(READ_EVERY_MS);
    await copy.get();
    expect(reads.length).toBe(2);
  });

  it('is read again when the clock was set back', async () => {
    await getWhile(gives('a'));
    clock.advance(-3_600_000);
    expect(await getWhile(gives('b'))).toBe('b');
  });
});

describe('refresh', () => {
  it('reads, or joins a running read', async () => {
    await getWhile(gives('a'));
    clock.advance(READ_EVERY_MS);
    const both = Promise.all([copy.refresh(), copy.refresh()]);
    reads[1]?.give('b');
    expect(await both).toEqual([true, true]);
    expect(await copy.get()).toBe('b');
    expect(reads.length).toBe(2);
  });

  it('does nothing a second time within a second', async () => {
    await getWhile(gives('a'));
    clock.advance(READ_EVERY_MS - 1);
    expect(await copy.refresh()).toBe(false);
    expect(reads.length).toBe(1);
  });

  it('retries after a read that throws synchronously', async () => {
    let calls = 0;
    const broken = new RevalidatingCache<string>(() => {
      calls += 1;
      throw new Error('broken');
    }, clock);
    expect(await broken.refresh()).toBe(false);
    clock.advance(READ_EVERY_MS);
    expect(await broken.refresh()).toBe(false);
    expect(calls).toBe(2);
  });
});

describe('refreshAfterChange', () => {
  it('reads once more after a running read', async () => {
    await getWhile(gives('a'));
    clock.advance(READ_EVERY_MS);
    const earlier = copy.refresh();
    const done = copy.refreshAfterChange();
    reads[1]?.give('before the change');
    await earlier;
    await vi.waitFor(() => expect(reads.length).toBe(3));
    reads[2]?.give('after the change');
    await done;
    expect(await copy.get()).toBe('after the change');
  });
});

describe('while the database is unreachable', () => {
  it('the last copy is served for up to a minute, with a retry once a second', async () => {
    await getWhile(gives('a'));
    for (let age = WAIT_AFTER_MS; age < USABLE_FOR_MS; age += READ_EVERY_MS) {
      clock.set(new Date(Date.parse('2026-11-21T12:00:00.000Z') + age).toISOString());
      expect(await getWhile(fails)).toBe('a');
      expect(await getWhile(fails)).toBe('a');
    }
    expect(reads.length).toBe(1 + (USABLE_FOR_MS - WAIT_AFTER_MS) / READ_EVERY_MS);
    clock.advance(READ_EVERY_MS);
    await expect(getWhile(fails)).rejects.toThrow('no copy is fresh enough');
    clock.advance(READ_EVERY_MS);
    expect(await getWhile(gives('b'))).toBe('b');
  });

  it('a first call without a copy fails', async () => {
    await expect(getWhile(fails)).rejects.toMatchObject({ cause: new Error('database away') });
  });

  it('no call waits for a server that does not respond', async () => {
    vi.useFakeTimers();
    await getWhile(gives('a'));
    clock.advance(WAIT_AFTER_MS);
    const got = copy.get();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await got).toBe('a');
    clock.advance(READ_EVERY_MS);
    expect(await getWhile(gives('b'))).toBe('b');
    expect(reads.length).toBe(3);
  });

  it('the first call after `forget` reads again at once', async () => {
    expect(await getWhile(gives('a'))).toBe('a');
    copy.forget();
    expect(await getWhile(gives('b'))).toBe('b');
  });
});
