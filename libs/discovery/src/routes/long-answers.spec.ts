import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LongAnswers, MOST_BYTES, MOST_BYTES_OF_KEY, type Reservation } from './long-answers.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const PART = MOST_BYTES_OF_KEY / 2;

/** What became of a request after 4 s: its reservation, undefined if it was refused, or `waits`. */
async function outcome(asked: Promise<Reservation | undefined>): Promise<Reservation | undefined | 'waits'> {
  return await Promise.race([asked, Promise.resolve().then(() => Promise.resolve('waits' as const))]);
}

describe('long answers', () => {
  it('of a key have at most half of the memory; the next ones wait, in their order', async () => {
    const answers = new LongAnswers();
    const first = await answers.reserve('a', PART);
    await answers.reserve('a', PART);
    const [third, fourth] = [answers.reserve('a', PART), answers.reserve('a', 1)];
    expect([await outcome(third), await outcome(fourth)]).toEqual(['waits', 'waits']);
    expect(await outcome(answers.reserve('b', PART))).toBeTypeOf('object');
    first?.release();
    first?.release();
    expect(await outcome(third)).toBeTypeOf('object');
    expect(await outcome(fourth)).toBe('waits');
  });

  it('of all keys have a limit; who waits too long is refused', async () => {
    const answers = new LongAnswers();
    for (const key of ['a', 'b', 'c', 'd']) await answers.reserve(key, PART);
    expect(answers.bytes).toBe(MOST_BYTES);
    const late = answers.reserve('e', 1);
    await vi.advanceTimersByTimeAsync(5_000);
    expect([await late, answers.bytes]).toEqual([undefined, MOST_BYTES]);
  });

  it('that are too large by themselves are sent alone', async () => {
    const answers = new LongAnswers();
    const large = await answers.reserve('a', 2 * MOST_BYTES);
    expect(large).toBeDefined();
    expect(await outcome(answers.reserve('b', 1))).toBe('waits');
  });

  it('take what they have, not what was estimated', async () => {
    const answers = new LongAnswers();
    const first = await answers.reserve('a', MOST_BYTES_OF_KEY);
    const second = answers.reserve('a', PART);
    first?.resize(10);
    expect(await outcome(second)).toBeTypeOf('object');
    first?.release();
    first?.resize(100);
    expect(answers.bytes).toBe(PART);
  });
});
