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

it.each([
  ['without a label', undefined],
  ['with a label', 'state'],
])('a gauge %s that fails, or has no number, is left out, and the others stay', async (_how, label) => {
  const metrics = new Metrics();
  metrics.gauge('good', 'Read', 'state', async () => ({ fine: 1 }));
  let read = async (): Promise<Record<string, number>> => ({ value: 7 });
  metrics.gauge('bad', 'Not always read', label, () => read());
  const text = async () => {
    await vi.advanceTimersByTimeAsync(250);
    const lines = (await metrics.text()).split('\n');
    return lines.filter((line) => /^(?:good|bad)\b/.test(line)).map((line) => line.replace(/\{.*\}/, ''));
  };
  expect(await text()).toEqual(['good 1', 'bad 7']);
  read = () => Promise.reject(new Error('no database'));
  expect(await text()).toEqual(['good 1']);
  read = async () => JSON.parse('{"value": null}') as Record<string, number>;
  expect(await text()).toEqual(['good 1']);
  read = async () => ({ value: 8 });
  expect(await text()).toEqual(['good 1', 'bad 8']);
});
