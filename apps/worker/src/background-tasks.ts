import { CATALOGUE_TASKS } from '#catalogue/catalogue.tasks';
import { FEED_TASKS, feedSubscriptionTask } from '#event-store/feed.tasks';
import { LEDGER_TASKS } from '#event-store/ledger/ledger.tasks';
import { MAINTENANCE_TASKS } from '#maintenance/maintenance.tasks';
import type { BackgroundTask } from '#operations/tasks/background-task';
import { TABLE_STATISTICS_TASKS } from '#operations/tasks/table-statistics.tasks';
import { STATUS_CATALOGUE_TASKS } from '#orders/commands/status-catalogue.tasks';
import { DEADLINE_TASKS } from '#orders/deadlines/deadline.tasks';
import { JOB_TASKS } from '#orders/jobs/job.tasks';
import { WORK_QUEUE_TASKS } from '#orders/queues/work-queue.tasks';
import { REPORT_TASKS } from '#orders/reports/report.tasks';
import { SEARCH_TASKS } from '#orders/search/search.tasks';
import { MAIL_TASKS } from '#orders/mail/mail.tasks';
import { TICKET_TASKS } from '#orders/tickets/ticket.tasks';
import { TRANSFER_TASKS } from '#orders/transfer/transfer.tasks';
import { PEOPLE_TASKS } from '#people/people.tasks';
import { PING_STREAM_TASKS } from '#ping-stream/ping-stream.tasks';
import { PING_DELIVERY_TASKS, PING_SUBSCRIPTION } from '#pings/ping-delivery.tasks';
import { DELIVERY_MINUTE_TASKS } from '#pings/repair/delivery-minutes.tasks';
import { REPLAY_TASKS } from '#pings/repair/replay.tasks';
import { SANDBOX_PLATFORM_TASKS } from '#pings/sandbox/sandbox-platform.tasks';
import { WEBHOOK_DELIVERY_TASKS } from '#webhooks/webhook-delivery.tasks';

/** Everything that the worker does by itself; `docs/background-tasks.md` is generated from it. */
export const WORKER_TASKS: readonly BackgroundTask[] = [
  ...FEED_TASKS,
  ...LEDGER_TASKS,
  feedSubscriptionTask(PING_SUBSCRIPTION),
  ...PING_STREAM_TASKS,
  ...PING_DELIVERY_TASKS,
  ...WEBHOOK_DELIVERY_TASKS,
  ...DELIVERY_MINUTE_TASKS,
  ...REPLAY_TASKS,
  ...DEADLINE_TASKS,
  ...JOB_TASKS,
  ...TRANSFER_TASKS,
  ...STATUS_CATALOGUE_TASKS,
  ...WORK_QUEUE_TASKS,
  ...SEARCH_TASKS,
  ...TICKET_TASKS,
  ...MAIL_TASKS,
  ...REPORT_TASKS,
  ...PEOPLE_TASKS,
  ...CATALOGUE_TASKS,
  ...TABLE_STATISTICS_TASKS,
  ...MAINTENANCE_TASKS,
  ...SANDBOX_PLATFORM_TASKS,
];
