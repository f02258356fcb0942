import type { BackgroundTask } from '#operations/tasks/background-task';
import { repeatedTask } from '#operations/tasks/repeated-task';
import { WorkItems } from './work-items.js';

export const WORK_QUEUE_TASKS: readonly BackgroundTask[] = [
  repeatedTask({
    name: 'work queues',
    does: 'Puts orders into the queue that shows them: new and changed orders, those whose due time or snooze is over, and those whose event or listing has another date.',
    seen: '`GET /backoffice/v1/queues`; `work-queues` in `GET /backoffice/v1/projections`',
    // A queue is at most a second behind, of which the feed takes some.
    everyMs: 200,
    handler: WorkItems,
    async run(items) {
      while (await items.step());
    },
  }),
];
