import { beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../../test/support/fixed-clock.js';
import { SharedCounts } from './shared-counts.js';

const FRESH_MS = 100;

type Read = Readonly<{ ends: Promise<number>; resolve: (count: number) => void; reject: (error: Error) => void }>;

let clock: FixedClock;
/** The reads that have begun. Each ends when the test says so. */
let reads: Read[];
let counts: SharedCounts<number>;

const read = () => {
  let settle!: Pick<Read, 'resolve' | 'reject'>;
  const ends = new Promise<number>((resolve, reject) => (settle = { resolve, reject }));
  reads.push({ ends, ...settle });
  return ends;
};
const ask = (key = 'all') => counts.of(key, read);

/** A first read that took so long and counted one. */
async function known(costMs = 0): Promise<void> {
  const first = ask();
  clock.advance(costMs);
  reads[0]!.resolve(1);
  await first;
}

beforeEach(() => {
  clock = new FixedClock();
  reads = [];
  counts = new SharedCounts(clock, { freshMs: FRESH_MS, share: 0, slowMs: 0 });
});

describe('SharedCounts', () => {
  it('answers all who ask at once with one read', async () => {
    const answers = Array.from({ length: 20 }, () => ask());
    reads[0]!.resolve(7);
    expect(await Promise.all(answers)).toEqual(Array(20).fill(7));
    expect(reads).toHaveLength(1);
  });

  it('reads again for others who may see something else', async () => {
    const answers = [ask('all'), ask('Front Row')];
    for (const [index, started] of reads.entries()) started.resolve(index);
    expect(await Promise.all(answers)).toEqual([0, 1]);
  });

  it('answers with what it knows while that is fresh', async () => {
    await known();
    clock.advance(FRESH_MS - 1);
    expect(await ask()).toBe(1);
    expect(reads).toHaveLength(1);
  });

  it('answers at once with counts that are no longer fresh, and reads others', async () => {
    await known();
    clock.advance(FRESH_MS);
    expect(await ask()).toBe(1);
    expect(await ask()).toBe(1);
    expect(reads).toHaveLength(2);
    reads[1]!.resolve(2);
    await reads[1]!.ends;
    expect(await ask()).toBe(2);
  });

  it('waits for others when they are twice as old', async () => {
    await known();
    clock.advance(2 * FRESH_MS + 1);
    const answer = ask();
    reads[1]!.resolve(2);
    expect(await answer).toBe(2);
  });

  it('counts the age from the beginning of the read', async () => {
    await known(2 * FRESH_MS + 1);
    const answer = ask();
    reads[1]!.resolve(2);
    expect(await answer).toBe(2);
  });

  it('waits for counts that are no longer fresh if they are quick to read', async () => {
    counts = new SharedCounts(clock, { freshMs: FRESH_MS, share: 0, slowMs: 40 });
    await known(39);
    clock.advance(FRESH_MS);
    const answer = ask();
    reads[1]!.resolve(2);
    expect(await answer).toBe(2);
  });

  it('does not read slow counts more often than in a share of the time', async () => {
    counts = new SharedCounts(clock, { freshMs: FRESH_MS, share: 10, slowMs: 40 });
    await known(1_000);
    clock.advance(8_999);
    expect(await ask()).toBe(1);
    expect(reads).toHaveLength(1);
    clock.advance(1);
    expect(await ask()).toBe(1);
    expect(reads).toHaveLength(2);
  });

  it('keeps nothing that it read before it was told to forget', async () => {
    const before = ask();
    counts.forget();
    const after = ask();
    reads[1]!.resolve(2);
    expect(await after).toBe(2);
    reads[0]!.resolve(1);
    expect(await before).toBe(1);
    expect(await ask()).toBe(2);
    expect(reads).toHaveLength(2);
  });

  it('reads again after a read that failed', async () => {
    const failing = ask();
    reads[0]!.reject(new Error('no database'));
    await expect(failing).rejects.toThrow('no database');
    const answer = ask();
    reads[1]!.resolve(2);
    expect(await answer).toBe(2);
  });

  it('answers with what it knows although the read behind it fails', async () => {
    await known();
    clock.advance(FRESH_MS);
    expect(await ask()).toBe(1);
    reads[1]!.reject(new Error('no database'));
    await expect(reads[1]!.ends).rejects.toThrow();
    expect(await ask()).toBe(1);
    expect(reads).toHaveLength(3);
  });
});
