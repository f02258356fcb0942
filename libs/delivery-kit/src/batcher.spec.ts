import { describe, expect, it } from 'vitest';
import { Batcher } from './batcher.js';

/** A batcher whose runs end when the test says so. */
function controlledBatcher(limits: { atOnce: number; items: number }) {
  const runs: { items: readonly number[]; finish: () => void; fail: (error: Error) => void }[] = [];
  const batch = new Batcher<number, string>(
    (items) =>
      new Promise((resolve, reject) => {
        runs.push({ items, finish: () => resolve(items.map((item) => `${item}!`)), fail: reject });
      }),
    limits,
  );
  return { batch, runs };
}

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe('a batch', () => {
  it('combines the calls of one turn and returns each its own result', async () => {
    const { batch, runs } = controlledBatcher({ atOnce: 1, items: 10 });
    const results = Promise.all([batch.add(1), batch.add(2), batch.add(3)]);
    await turn();
    expect(runs.map(({ items }) => items)).toEqual([[1, 2, 3]]);
    runs[0]?.finish();
    expect(await results).toEqual(['1!', '2!', '3!']);
  });

  it('collects further calls while the allowed number of batches runs', async () => {
    const { batch, runs } = controlledBatcher({ atOnce: 2, items: 10 });
    for (const item of [1, 2]) {
      void batch.add(item);
      await turn();
    }
    const third = batch.add(3);
    const fourth = batch.add(4);
    await turn();
    expect(runs.map(({ items }) => items)).toEqual([[1], [2]]);
    runs[1]?.finish();
    await turn();
    expect(runs.map(({ items }) => items)).toEqual([[1], [2], [3, 4]]);
    runs[2]?.finish();
    expect(await Promise.all([third, fourth])).toEqual(['3!', '4!']);
  });

  it('is never larger than allowed', async () => {
    const { batch, runs } = controlledBatcher({ atOnce: 2, items: 2 });
    void Promise.all([1, 2, 3, 4, 5].map((item) => batch.add(item)));
    await turn();
    runs[0]?.finish();
    await turn();
    runs[1]?.finish();
    await turn();
    expect(runs.map(({ items }) => items)).toEqual([[1, 2], [3, 4], [5]]);
  });

  it('fails all its calls when it fails, and the next batch still runs', async () => {
    const { batch, runs } = controlledBatcher({ atOnce: 1, items: 10 });
    const failing = Promise.allSettled([batch.add(1), batch.add(2)]);
    await turn();
    const next = batch.add(3);
    runs[0]?.fail(new Error('away'));
    expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await turn();
    runs[1]?.finish();
    expect(await next).toBe('3!');
  });
});
