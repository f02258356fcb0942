import type { TaskGroup } from '#base/process-roles';
import { CATALOGUE_TASKS } from '#discovery/catalogue.tasks';
import { FEED_TASKS, feedSubscriptionTask } from '#event-store/feed.tasks';
import { LEDGER_TASKS } from '#upkeep/ledger.tasks';
import { MAINTENANCE_TASKS } from '#upkeep/maintenance.tasks';
import type { TasksByRole } from '#platform/background-task';
import { RUNNING_GROUP_TASKS } from '#platform/running-groups.tasks';
import { TABLE_STATISTICS_TASKS } from '#platform/table-statistics.tasks';
import { PRESENCE_TASKS } from '#orders/presence.tasks';
import { STATUS_CATALOGUE_TASKS } from '#orders/status-catalogue.tasks';
import { DEADLINE_TASKS } from '#orders/deadline.tasks';
import { MONEY_TASK_TASKS } from '#money/money-task.tasks';
import { RECONCILIATION_TASKS } from '#money/reconciliation.tasks';
import { PROVIDER_EVENT_TASKS } from '#money/provider-event.tasks';
import { JOB_TASKS } from '#desk/job.tasks';
import { WORK_QUEUE_TASKS } from '#desk/work-queue.tasks';
import { LEDGER_FILLING_TASKS } from '#money/ledger.tasks';
import { REPORT_TASKS } from '#desk/report.tasks';
import { SEARCH_TASKS } from '#orders/search.tasks';
import { MAIL_TASKS } from '#fulfilment/mail.tasks';
import { TICKET_TASKS } from '#fulfilment/ticket.tasks';
import { ORDER_TRANSFER_TASKS } from '#desk/order-transfer.tasks';
import { PEOPLE_TASKS } from '#accounts/people.tasks';
import { PING_STREAM_TASKS } from '#outbound/ping-stream.tasks';
import { PING_DELIVERY_TASKS, PING_SUBSCRIPTION } from '#outbound/ping-delivery.tasks';
import { DELIVERY_MINUTE_TASKS } from '#outbound/delivery-minutes.tasks';
import { REPLAY_TASKS } from '#outbound/replay.tasks';
import { SANDBOX_PLATFORM_TASKS } from '#sandbox/sandbox-platform.tasks';
import { WEBHOOK_DELIVERY_TASKS } from '#outbound/webhook-delivery.tasks';

/** Everything that workers do by themselves, by its group in TASKS; `docs/background-tasks.md` is generated from it. */
export const WORKER_TASKS: TasksByRole<TaskGroup> = {
  always: [...STATUS_CATALOGUE_TASKS, ...RUNNING_GROUP_TASKS],
  of: {
    feed: [...FEED_TASKS, ...PING_STREAM_TASKS],
    pings: [feedSubscriptionTask(PING_SUBSCRIPTION), ...PING_DELIVERY_TASKS],
    webhooks: WEBHOOK_DELIVERY_TASKS,
    orders: [...DEADLINE_TASKS, ...TICKET_TASKS],
    money: [...PROVIDER_EVENT_TASKS, ...MONEY_TASK_TASKS, ...RECONCILIATION_TASKS, ...LEDGER_FILLING_TASKS],
    jobs: [...JOB_TASKS, ...ORDER_TRANSFER_TASKS, ...REPLAY_TASKS],
    queues: [...WORK_QUEUE_TASKS, ...SEARCH_TASKS, ...PRESENCE_TASKS],
    mails: [...MAIL_TASKS, ...REPORT_TASKS],
    people: PEOPLE_TASKS,
    catalogue: CATALOGUE_TASKS,
    upkeep: [...LEDGER_TASKS, ...DELIVERY_MINUTE_TASKS, ...TABLE_STATISTICS_TASKS, ...MAINTENANCE_TASKS],
    sandbox: SANDBOX_PLATFORM_TASKS,
  },
};
