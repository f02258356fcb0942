import { describe, expect, it } from 'vitest';
import { waitAfter } from './retry-policy.js';

const retryPolicy = { tries: 6, firstMs: 1_000, maxMs: 6_000 };
const waits = (fraction: number, retryAfterMs?: number) =>
  [1, 2, 3, 4, 5, 6].map((tries) => waitAfter({ tries, retryAfterMs }, retryPolicy, () => fraction));

describe('the wait', () => {
  it('doubles up to the longest wait, and ends with the last try', () => {
    expect(waits(0)).toEqual([1_000, 2_000, 4_000, 6_000, 6_000, undefined]);
  });

  it('is up to a fifth shorter by jitter, and still grows', () => {
    expect(waits(0.999_999).slice(0, 3)).toEqual([801, 1_601, 3_201]);
  });

  it('is what the service requests if that is longer, up to the longest wait', () => {
    expect(waits(0, 3_000).slice(0, 3)).toEqual([3_000, 3_000, 4_000]);
    expect(waits(0, 60_000).slice(0, 2)).toEqual([6_000, 6_000]);
  });
});
