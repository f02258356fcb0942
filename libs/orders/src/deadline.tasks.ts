import { queueTask } from '#delivery-kit/queue-task';
import type { BackgroundTask } from '#platform/background-task';
import { repeatedTask } from '#platform/repeated-task';
import { Deadlines } from './deadlines/deadlines.js';
import { PaymentWork } from './payments/payment-work.js';

export const DEADLINE_TASKS: readonly BackgroundTask[] = [
  queueTask({
    name: 'deadlines',
    does: 'Does what is due on an order: asks for the outcome of a payment, or lets a confirmation or an offer of other tickets expire.',
    seen: '`willcall_queue_jobs{queue_state="deadlines waiting"}`; the events of the order',
    queue: 'deadlines',
    // Each job may wait for the payment provider. There are never many at once.
    concurrency: 10,
    processor: Deadlines,
    isTrace: true,
  }),
  repeatedTask({
    name: 'deadline sweep',
    does: 'Adds a delayed job to the queue `deadlines` for each order whose deadline comes within a minute, and a job for each one whose deadline has passed.',
    seen: '`willcall_queue_jobs{queue_state="deadlines waiting"}`',
    everyMs: 'SWEEP_EVERY_MS',
    handler: Deadlines,
    run: (deadlines) => deadlines.schedule(),
    vital: true,
  }),
  queueTask({
    name: 'payments',
    does: 'Moves the money of an order at its payment provider: captures, releases and refunds it, and asks about refunds that the provider has not made yet.',
    seen: '`willcall_queue_jobs{queue_state="payments waiting"}`; the events of the order',
    queue: 'payments',
    // Each job may wait for the payment provider.
    concurrency: 10,
    processor: PaymentWork,
    isTrace: true,
  }),
  repeatedTask({
    name: 'payment sweep',
    does: 'Adds a job to the queue `payments` for each order whose money has a step that is due.',
    seen: '`willcall_queue_jobs{queue_state="payments waiting"}`',
    everyMs: 'SWEEP_EVERY_MS',
    handler: PaymentWork,
    run: (payments) => payments.schedule(),
    vital: true,
  }),
];
