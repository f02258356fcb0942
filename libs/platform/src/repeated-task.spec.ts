import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { repeatedTask } from './repeated-task.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

class Handler {
  readonly startedAfterMs: number[] = [];
}

/** When it runs within a second, in milliseconds. It is woken in the middle of that, or not. */
async function runsOf(result: boolean | undefined, { isWoken = false } = {}): Promise<number[]> {
  const handler = new Handler();
  const began = Date.now();
  const task = repeatedTask({
    name: 'n',
    does: '',
    seen: '',
    everyMs: 100,
    idleMs: 600,
    handler: Handler,
    run: ({ startedAfterMs }) => {
      startedAfterMs.push(Date.now() - began);
      return Promise.resolve(result);
    },
  });
  const opened = task.open({
    get: () => handler as never,
    settings: {} as never,
    onError: () => undefined,
    timed: (once) => once(),
    ran: () => undefined,
    wakeFollowers: () => undefined,
  });
  opened.start();
  await vi.advanceTimersByTimeAsync(500);
  if (isWoken) opened.wake?.();
  await vi.advanceTimersByTimeAsync(500);
  await opened.stop(0);
  return handler.startedAfterMs;
}

it('rests longer while its runs find nothing, until it is woken', async () => {
  expect(await runsOf(undefined)).toEqual([100, 700]);
  expect(await runsOf(undefined, { isWoken: true })).toEqual([100, 600]);
});

it('does not rest longer after a run that returned true', async () => {
  expect(await runsOf(true)).toHaveLength(10);
});
