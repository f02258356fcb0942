import { beforeEach, describe, expect, it } from 'vitest';
import type { NewJob } from '#delivery-kit/job-queue';
import type { RecordedEvent } from '#event-store/event';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import type { PingJob } from './pings/ping-queue.js';
import { PingScheduler } from './ping-scheduler.js';

const NOON = Date.parse('2026-11-21T12:00:00.000Z');
const STATUS = { status: { status: 'confirmed', status_message: 'Confirmed', status_code: 2000 } };

function event(stream: string, type: string, data: object, recordedAt = NOON): RecordedEvent {
  const metadata = { transaction_id: 'txn-1', actor: 'platform:cli_1' };
  const recorded_at = new Date(recordedAt).toISOString();
  return { stream, position: 1, event_id: 'evt_1', type, data, metadata, recorded_at };
}

let jobs: NewJob<PingJob>[];
let scheduler: PingScheduler;
beforeEach(() => {
  jobs = [];
  const queue = { add: async (added: readonly NewJob<PingJob>[]) => void jobs.push(...added) };
  scheduler = new PingScheduler(queue, new FixedClock('2026-11-21T12:00:00.000Z'));
});

describe('the scheduler', () => {
  it('adds one job for an order and a time, delayed until then', async () => {
    await scheduler.schedule([
      { orderId: 'ord_1', at: NOON - 10 },
      { orderId: 'ord_1', at: NOON + 5_000 },
    ]);
    expect(jobs).toEqual([
      { id: `ord_1-${NOON - 10}`, data: { orderId: 'ord_1' }, delayMs: -10 },
      { id: `ord_1-${NOON + 5_000}`, data: { orderId: 'ord_1' }, delayMs: 5_000 },
    ]);
  });

  it('adds one job for each order with a new status in a batch of the feed, for the first status', async () => {
    await scheduler.scheduleFor([
      event('order-ord_1', 'PurchaseReceived', { client_id: 'cli_1' }, NOON - 3),
      event('order-ord_1', 'OrderPending', STATUS, NOON - 2),
      event('order-ord_2', 'OrderConfirmed', STATUS, NOON - 1),
      event('order-ord_1', 'OrderConfirmed', STATUS, NOON),
    ]);
    expect(jobs.map(({ id }) => id)).toEqual([`ord_1-${NOON - 2}`, `ord_2-${NOON - 1}`]);
  });

  it('adds a job at once for a status of a process whose clock is an hour ahead', async () => {
    await scheduler.scheduleFor([event('order-ord_1', 'OrderPending', STATUS, NOON + 3_600_000)]);
    expect(jobs.map(({ delayMs = 0 }) => delayMs)).toEqual([0]);
  });

  it('adds a job for a due retry under a different id than its delayed job', async () => {
    await scheduler.scheduleNow([{ orderId: 'ord_1', occurredAt: NOON, dueAt: NOON + 5_000, attempts: 1 }]);
    expect(jobs).toEqual([{ id: `ord_1-${NOON + 5_000}-due`, data: { orderId: 'ord_1' } }]);
  });

  it('adds a job under a new id every 5 s for a late ping, because a lost job may block the id', async () => {
    for (const late of [4_999, 5_000, 9_999, 10_000]) {
      await scheduler.scheduleNow([{ orderId: 'ord_1', occurredAt: NOON - late, dueAt: NOON - late, attempts: 0 }]);
    }
    const names = [4_999, 5_000, 9_999, 10_000].map((late) => `ord_1-${NOON - late}`);
    expect(jobs.map(({ id }) => id)).toEqual([names[0], `${names[1]}-1`, `${names[2]}-1`, `${names[3]}-2`]);
  });

  it('ignores events that are not a status of an order', async () => {
    await scheduler.scheduleFor([
      event('order-ord_1', 'PurchaseReceived', { client_id: 'cli_1' }),
      event('order-ord_1', 'PaymentDeclined', { provider: 'sandbox', reason: 'declined' }),
      event('listing-1', 'OrderConfirmed', STATUS),
    ]);
    expect(jobs).toEqual([]);
  });

  it('uses ids that BullMQ accepts', async () => {
    await scheduler.scheduleFor([event('order-ord_1', 'OrderPending', STATUS)]);
    expect(jobs[0]?.id).toMatch(/^ord_[^:]+$/);
  });
});
