import type { CommandBus } from '@nestjs/cqrs';
import { expect, it } from 'vitest';
import type { Settings } from '#base/settings';
import type { NewJob } from '#delivery-kit/job-queue';
import { FixedClock } from '../../../../test/support/fixed-clock.js';
import type { DeadlineQueue } from './deadline-queue.js';
import { Deadlines } from './deadlines.js';
import type { DueOrder, DueOrders } from './due-orders.js';

const FAILING = 500;

const due = Array.from({ length: FAILING + 1 }, (_, index): DueOrder => {
  return { id: `ord_${index}`, version: 1, due_for: 'payment_outcome', due_at: '2026-01-01T00:00:00.000Z' };
});
const last = due.at(-1)!;

it.each([
  ['wait for an order whose job comes a moment early', '2025-12-31T23:59:59.950Z', [last.id]],
  ['leave an order to the sweep whose job comes much too early', '2025-12-31T23:00:00.000Z', []],
])('%s', async (_, at, expected) => {
  const completed: string[] = [];
  const clock = new FixedClock(at);
  const deadlines = deadlinesWith({ clock, add: () => undefined, complete: (orderId) => completed.push(orderId) });
  const processed = deadlines.process(last);
  expect(completed).toEqual([]);
  clock.advance(50);
  await processed;
  expect(completed).toEqual(expected);
});

it('come to an order although five hundred before it cannot be completed', async () => {
  let jobs: readonly NewJob<DueOrder>[] = [];
  const completed: string[] = [];
  const deadlines = deadlinesWith({
    find: async (_now, _after, { limit, except = [] }) => due.filter(({ id }) => !except.includes(id)).slice(0, limit),
    add: (added) => (jobs = added.length > 0 ? added : jobs),
    complete: (orderId) => {
      if (orderId !== last.id) throw new Error('the provider knows nothing of it');
      completed.push(orderId);
    },
  });
  for (let sweep = 0; sweep < 2; sweep += 1) {
    await deadlines.schedule();
    await Promise.allSettled(jobs.map(({ data }) => deadlines.process(data)));
  }
  expect(completed).toEqual([last.id]);
});

type Parts = Readonly<{
  clock?: FixedClock;
  find?: DueOrders['find'];
  add: (jobs: readonly NewJob<DueOrder>[]) => unknown;
  complete: (orderId: string) => unknown;
}>;

function deadlinesWith({ clock = new FixedClock(), find = async () => [], add, complete }: Parts): Deadlines {
  const orders: Pick<DueOrders, 'find' | 'findNext'> = { find, findNext: async () => [] };
  const queue = { add: async (added: readonly NewJob<DueOrder>[]) => void add(added) };
  const commands = { execute: async ({ orderId }: { orderId: string }) => void complete(orderId) };
  return new Deadlines(
    orders as DueOrders,
    queue as unknown as DeadlineQueue,
    commands as unknown as CommandBus,
    clock,
    { PAYMENT_OUTCOME_AFTER_MS: 60_000 } as Settings,
  );
}
