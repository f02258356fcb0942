import { setImmediate as turn } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { TurnQueue } from './turn-queue.js';

it('rests before each callback as long as it is told to', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  let rest = 20;
  const queue = new TurnQueue(() => rest);
  const ran: number[] = [];
  for (const id of [1, 2, 3]) queue.add(() => ran.push(id));
  await vi.advanceTimersByTimeAsync(19);
  expect(ran).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(ran).toEqual([1]);
  rest = 0;
  await vi.advanceTimersByTimeAsync(20);
  await turn();
  vi.useRealTimers();
  expect(ran).toEqual([1, 2, 3]);
});

it('runs one callback a turn, in their order, also those that are added meanwhile', async () => {
  const queue = new TurnQueue();
  const ran: number[] = [];
  const add = (id: number, then: () => void = () => undefined) => queue.add(() => (ran.push(id), then()));
  add(1, () => add(4));
  add(2);
  add(3);
  expect([ran, queue.length]).toEqual([[], 3]);
  const seen: number[] = [];
  while (ran.length < 4) {
    await turn();
    seen.push(ran.length);
  }
  expect(ran).toEqual([1, 2, 3, 4]);
  for (const [at, count] of seen.entries()) expect(count).toBeLessThanOrEqual(at + 1);
  add(5);
  await turn();
  expect([ran.at(-1), queue.length]).toEqual([5, 0]);
});
