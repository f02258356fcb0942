import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { OrderEvent } from '#domain/order-events';
import type { RecordedEvent } from '#event-store/event';
import { moneyLife } from '../../../test/support/orders/money-lives.js';
import { orderAppend, recorded } from '../../../test/support/orders/order-append.js';
import { moneyTaskRows, openedMoneyTasksProjection, settledMoneyTasksProjection } from './money-tasks.projection.js';

type Row = ReturnType<typeof moneyTaskRows>[number];
type Settled = Readonly<{ subject: string; at: string }>;

/** What the statements of the projections make of the events, appended in parts that end at these numbers. */
function tasksAfter(events: readonly RecordedEvent<OrderEvent>[], ends: readonly number[]): Row[] {
  const tasks = new Map<string, Row>();
  ends.forEach((end, index) => {
    const append = orderAppend(events.slice(0, end), ends[index - 1] ?? 0);
    const opened = openedMoneyTasksProjection.rows(append) as readonly Row[];
    const settled = settledMoneyTasksProjection.rows(append) as readonly Settled[];
    const subjects = [...opened, ...settled].map(({ subject }) => subject);
    expect(new Set(subjects).size).toBe(subjects.length);
    for (const row of opened) tasks.set(row.subject, { ...row, id: tasks.get(row.subject)?.id ?? row.id });
    for (const { subject, at } of settled) {
      const task = tasks.get(subject);
      if (task?.done_at === null) tasks.set(subject, { ...task, done_at: at });
    }
  });
  return [...tasks.values()];
}

const bySubject = (a: Row, b: Row) => (a.subject < b.subject ? -1 : 1);

it('tasks are the same, however the events were appended', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(fc.nat(), fc.array(fc.nat(30), { maxLength: 8 }), (seed, cuts) => {
      const events = recorded(...moneyLife(seed));
      const within = cuts.filter((cut) => cut > 0 && cut < events.length);
      const ends = [...new Set([...within, events.length])].sort((a, b) => a - b);
      const rows = moneyTaskRows(orderAppend(events));
      for (const { kind, done_at: at } of rows) seen.add(`${kind} ${at === null ? 'open' : 'done'}`);
      expect(tasksAfter(events, ends).sort(bySubject)).toEqual([...rows].sort(bySubject));
    }),
    { numRuns: 200 },
  );
  // Otherwise the lives would be too dull to prove anything.
  expect([...seen]).toEqual(
    expect.arrayContaining(['capture_failed open', 'refund_failed open', 'dispute open', 'dispute done']),
  );
});
