import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Metrics } from './metrics.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('readers at the same moment share one text and its queries', async () => {
  const metrics = new Metrics();
  let reads = 0;
  metrics.gauge('reads', 'How often it was read', undefined, async () => ({ value: ++reads }));
  const texts = await Promise.all(Array.from({ length: 20 }, () => metrics.text()));
  expect(await metrics.text()).toBe(texts[0]);
  expect([new Set(texts).size, reads]).toEqual([1, 1]);
  await vi.advanceTimersByTimeAsync(250);
  expect(await metrics.text()).toContain('reads 2');
});

it('a query that does not end delays a text by two seconds, and is not begun again', async () => {
  const metrics = new Metrics();
  let reads = 0;
  metrics.gauge('stuck', 'Never read', undefined, () => {
    reads += 1;
    return new Promise(() => undefined);
  });
  for (const round of [1, 2]) {
    const text = metrics.text();
    await vi.advanceTimersByTimeAsync(2_000);
    expect([round, (await text).includes('\nstuck ')]).toEqual([round, false]);
    await vi.advanceTimersByTimeAsync(250);
  }
  expect(reads).toBe(1);
});
