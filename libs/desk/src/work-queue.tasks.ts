import type { BackgroundTask } from '#platform/background-task';
import { repeatedTask } from '#platform/repeated-task';
import { EscalationNotices } from './queues/escalation-notices.js';
import { Escalations } from './queues/escalations.js';
import { WorkItems } from './queues/work-items.js';

export const WORK_QUEUE_TASKS: readonly BackgroundTask[] = [
  repeatedTask({
    name: 'work queues',
    does: 'Puts orders into the queue that shows them: new and changed orders, those whose due time or snooze is over, and those whose event or listing has another date.',
    seen: '`GET /backoffice/v1/queues`; `work-queues` in `GET /backoffice/v1/projections`',
    // A queue is at most a second behind, of which the feed takes some.
    wokenBy: 'feed leader',
    everyMs: 200,
    idleMs: 500,
    handler: WorkItems,
    async run(items) {
      while (await items.step());
    },
  }),
  repeatedTask({
    name: 'escalations',
    does: 'Marks and assigns orders that stay in a queue for longer than its escalation says. A custom queue whose condition is slow is looked at less often.',
    seen: '`escalated` in `GET /backoffice/v1/queues`; the timeline of the order',
    everyMs: 1_000,
    handler: Escalations,
    async run(escalations) {
      while (await escalations.step());
    },
  }),
  repeatedTask({
    name: 'escalation notices',
    does: 'Sends an e-mail about escalated orders to the address of their queue.',
    seen: 'the e-mail; `announced_at` in `work_escalations`',
    everyMs: 5_000,
    handler: EscalationNotices,
    async run(notices) {
      while (await notices.step());
    },
  }),
];
