import type { BackgroundTask } from '#platform/background-task';
import { repeatedTask } from '#platform/repeated-task';
import { MoneyTaskWatch } from './tasks/money-task-watch.js';

export const MONEY_TASK_TASKS: readonly BackgroundTask[] = [
  repeatedTask({
    name: 'tasks about money',
    does: 'Opens a task for a hold that ends within a day, and for a refund that the provider has not made for an hour.',
    seen: '`GET /backoffice/v1/money/tasks`',
    everyMs: 'SWEEP_EVERY_MS',
    handler: MoneyTaskWatch,
    async run(watch) {
      while (await watch.run());
    },
  }),
];
