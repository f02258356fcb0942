import type { BackgroundTask } from '#platform/background-task';
import { repeatedTask } from '#platform/repeated-task';
import { OrderPresences } from './presence/order-presences.js';

export const PRESENCE_TASKS: readonly BackgroundTask[] = [
  repeatedTask({
    name: 'presence',
    does: 'Forgets who had the page of an order open.',
    seen: 'table `order_presence`',
    everyMs: 60_000,
    handler: OrderPresences,
    run: (presences) => presences.prune(),
  }),
];
