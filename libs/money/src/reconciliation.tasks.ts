import type { BackgroundTask } from '#platform/background-task';
import { repeatedTask } from '#platform/repeated-task';
import { stoppableTask } from '#platform/stoppable-task';
import { DailyReconciliation } from './reconciliation/daily-reconciliation.js';
import { ReconciliationRunner } from './reconciliation-runner.js';

export const RECONCILIATION_TASKS: readonly BackgroundTask[] = [
  stoppableTask({
    name: 'reconciliations',
    does: "Compares our books with a provider's list or a client's remittance, one at a time in each worker. What differs becomes a task.",
    seen: '`GET /backoffice/v1/reconciliations`',
    everyMs: 500,
    handler: ReconciliationRunner,
  }),
  repeatedTask({
    name: 'daily reconciliation',
    does: 'Begins a comparison of the last three days of each configured payment provider, once a day (UTC).',
    seen: '`GET /backoffice/v1/reconciliations`',
    everyMs: 3_600_000,
    firstAfterMs: 60_000,
    handler: DailyReconciliation,
    run: (daily) => daily.run(),
  }),
];
