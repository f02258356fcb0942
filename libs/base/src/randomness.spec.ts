import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SystemRandomness } from './randomness.js';

describe('random bytes', () => {
  it('are as many as asked for, and never come twice', () => {
    const randomness = new SystemRandomness();
    const taken = new Set<string>();
    let asked = 0;
    fc.assert(
      fc.property(fc.oneof(fc.integer({ min: 12, max: 40 }), fc.integer({ min: 2_000, max: 9_000 })), (count) => {
        const bytes = randomness.bytes(count);
        expect(bytes.length).toBe(count);
        // Twelve bytes that repeat, or that are all zero, do not happen by chance.
        for (let at = 0; at + 12 <= count; at += 12, asked += 1) taken.add(bytes.toString('hex', at, at + 12));
      }),
    );
    expect(taken.size).toBe(asked);
  });

  it('do not change when more are taken', () => {
    const randomness = new SystemRandomness();
    const first = randomness.bytes(32);
    const before = first.toString('hex');
    for (let index = 0; index < 1_000; index += 1) randomness.bytes(32);
    expect(first.toString('hex')).toBe(before);
    expect(randomness.bytes(0).length).toBe(0);
  });
});
