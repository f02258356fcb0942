import { describe, expect, it } from 'vitest';
import { BatchedLookup } from './batched-lookup.js';

describe('BatchedLookup', () => {
  it('reads the keys of one turn of the event loop in one statement, and returns each its own row', async () => {
    const batches: (readonly string[])[] = [];
    const lookup = new BatchedLookup(async (keys: readonly string[]) => {
      batches.push(keys);
      return keys.map((key) => (key === 'unknown' ? undefined : `row of ${key}`));
    });
    const found = await Promise.all(['a', 'unknown', 'b', 'a'].map((key) => lookup.find(key)));
    expect(found).toEqual(['row of a', undefined, 'row of b', 'row of a']);
    await lookup.find('later');
    expect(batches).toEqual([['a', 'unknown', 'b', 'a'], ['later']]);
  });

  it('never returns a row that was read before the lookup', async () => {
    let row = 'old';
    let finish = () => undefined as void;
    const held = new Promise<void>((resolve) => (finish = resolve));
    const lookup = new BatchedLookup(async (keys: readonly string[]) => {
      const read = row;
      await held;
      return keys.map(() => read);
    });
    const first = lookup.find('a');
    await new Promise((resolve) => setImmediate(resolve));
    row = 'new';
    const second = lookup.find('a');
    await new Promise((resolve) => setImmediate(resolve));
    finish();
    expect(await Promise.all([first, second])).toEqual(['old', 'new']);
  });

  it('uses several statements for more than 100 keys, and a failed one fails only its own keys', async () => {
    const sizes: number[] = [];
    const lookup = new BatchedLookup(async (keys: readonly number[]) => {
      sizes.push(keys.length);
      if (keys.includes(150)) throw new Error('the server is away');
      return keys;
    });
    const found = await Promise.allSettled(Array.from({ length: 250 }, (_, key) => lookup.find(key)));
    expect(sizes).toEqual([100, 100, 50]);
    expect(found.map(({ status }) => status === 'rejected')).toEqual(
      Array.from({ length: 250 }, (_, key) => key >= 100 && key < 200),
    );
    expect(found[249]).toEqual({ status: 'fulfilled', value: 249 });
  });
});
