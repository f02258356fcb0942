import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Pause, TimeSlicer } from './time-slicer.js';

async function busy(pause: Pause, ms: number): Promise<void> {
  for (const until = performance.now() + ms; performance.now() < until; await pause());
}

describe('work in slices', () => {
  it('lets other work run in between', async () => {
    let turns = 0;
    let isDone = false;
    const giveUpAt = performance.now() + 10_000;
    const work = new TimeSlicer().run(async (pause) => {
      while (turns < 6 && performance.now() < giveUpAt) await pause();
      isDone = true;
    });
    for (; !isDone; turns++) await turn();
    await work;
    expect(turns).toBeGreaterThanOrEqual(6);
  });

  it('does not yield when it is short', async () => {
    const slicer = new TimeSlicer();
    let turns = 0;
    const later = setImmediate(() => turns++);
    await slicer.run(async (pause) => pause());
    clearImmediate(later);
    expect(turns).toBe(0);
  });

  it('runs one after the other, also after a failure', async () => {
    const slicer = new TimeSlicer();
    const steps: string[] = [];
    const work = (name: string) =>
      slicer.run(async (pause) => {
        steps.push(`${name} begins`);
        await busy(pause, 15);
        steps.push(`${name} ends`);
        if (name === 'two') throw new Error('two fails');
        return name;
      });
    const results = await Promise.allSettled(['one', 'two', 'three'].map(work));
    expect(steps).toEqual(['one', 'two', 'three'].flatMap((name) => [`${name} begins`, `${name} ends`]));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});
