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

it('come to an order although five hundred before it cannot be completed', async () => {
  const orders: Pick<DueOrders, 'find' | 'findNext'> = {
    find: async (_now, _after, { limit, except = [] }) => due.filter(({ id }) => !except.includes(id)).slice(0, limit),
    findNext: async () => [],
  };
  let jobs: readonly NewJob<DueOrder>[] = [];
  const queue = { add: async (added: readonly NewJob<DueOrder>[]) => void (jobs = added.length > 0 ? added : jobs) };
  const completed: string[] = [];
  const commands = {
    execute: async ({ orderId }: { orderId: string }) => {
      if (orderId !== last.id) throw new Error('the provider knows nothing of it');
      completed.push(orderId);
    },
  };
  const deadlines = new Deadlines(
    orders as DueOrders,
    queue as unknown as DeadlineQueue,
    commands as unknown as CommandBus,
    new FixedClock(),
    { PAYMENT_OUTCOME_AFTER_MS: 60_000 } as Settings,
  );
  for (let sweep = 0; sweep < 2; sweep += 1) {
    await deadlines.schedule();
    await Promise.allSettled(jobs.map(({ data }) => deadlines.process(data)));
  }
  expect(completed).toEqual([last.id]);
});
