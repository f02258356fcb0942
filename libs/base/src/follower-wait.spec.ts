import { describe, expect, it } from 'vitest';
import { FollowerWait } from './follower-wait.js';

describe('a follower that has read everything', () => {
  const waits: number[] = [];
  const resting = async (wait: FollowerWait, woken: boolean) => {
    await wait.rest((ms) => {
      waits.push(ms);
      return Promise.resolve(woken);
    });
    return waits.at(-1);
  };

  it('polls often until it is woken, also for nothing', async () => {
    const wait = new FollowerWait();
    expect(await resting(wait, false)).toBe(50);
    expect(await resting(wait, true)).toBe(50);
    expect(await resting(wait, false)).toBe(500);
    expect(await resting(wait, true)).toBe(500);
    wait.found();
    expect(await resting(wait, false)).toBe(500);
  });

  it('polls often again when something new came without a wake-up', async () => {
    const wait = new FollowerWait();
    await resting(wait, true);
    wait.found();
    await resting(wait, false);
    wait.found();
    expect(await resting(wait, false)).toBe(50);
  });
});
