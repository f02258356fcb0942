import { queueTask } from '#delivery-kit/queue-task';
import type { FeedSubscription } from '#event-store/feed.tasks';
import type { BackgroundTask } from '#platform/background-task';
import { repeatedTask } from '#platform/repeated-task';
import { PingScheduler } from './ping-scheduler.js';
import { PingDelivery } from './pings/ping-delivery.js';
import { PingSweep } from './pings/ping-sweep.js';

export const PING_SUBSCRIPTION: FeedSubscription<PingScheduler> = {
  name: 'ping schedule',
  does: 'Adds a job to the queue `pings` for each order with a new status in the feed.',
  seen: '`willcall_queue_jobs{queue_state="pings waiting"}`',
  // Existing installations have their checkpoint under this name.
  checkpoint: 'ping-doorbells',
  handler: PingScheduler,
  handle: (scheduler, events) => scheduler.scheduleFor(events),
};

export const PING_DELIVERY_TASKS: readonly BackgroundTask[] = [
  queueTask({
    name: 'pings',
    does: 'Sends the due pings of an order to the platform, first to last.',
    seen: '`willcall_ping_attempts_total`, `willcall_pings`; `willcall delivery health`',
    queue: 'pings',
    concurrency: 'PING_CONCURRENCY',
    processor: PingDelivery,
    scheduler: PingScheduler,
  }),
  repeatedTask({
    name: 'ping sweep',
    does: 'Adds the jobs of due pings that have none: retries, lost jobs, everything after Redis was emptied.',
    seen: '`willcall_oldest_undelivered_ping_seconds`',
    everyMs: 'SWEEP_EVERY_MS',
    handler: PingSweep,
    run: (sweep) => sweep.sweep(),
    wakeOn: (sweep, wake) => sweep.onBreakerClosed(wake),
    vital: true,
  }),
];
