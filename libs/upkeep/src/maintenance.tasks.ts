import type { BackgroundTask } from '#platform/background-task';
import { repeatedTask } from '#platform/repeated-task';
import { stoppableTask } from '#platform/stoppable-task';
import { KeyResealing } from './key-resealing.js';
import { Retention } from './retention.js';
import { VerificationRuns } from './verification-runs.js';

const EVERY_MS = 2_000;
const RESEAL_EVERY_MS = 10_000;

export const MAINTENANCE_TASKS: readonly BackgroundTask[] = [
  repeatedTask({
    name: 'retention',
    does: 'Forgets answers, attempts and reads after `ANSWER_DAYS`, `ATTEMPT_DAYS` and `READ_DAYS`, and erases personal data after `PERSONAL_DATA_DAYS`.',
    seen: 'the attempts of pings and webhooks; events of `system:retention`',
    everyMs: 3_600_000,
    firstAfterMs: 60_000,
    handler: Retention,
    run: (retention) => retention.run(),
  }),
  stoppableTask({
    name: 'verifications',
    does: 'Does requested verifications, at half speed, so that deliveries do not wait.',
    seen: '`GET /backoffice/v1/maintenance-runs`; the page `/settings/projections`',
    everyMs: EVERY_MS,
    handler: VerificationRuns,
  }),
  stoppableTask({
    name: 'key change',
    does: 'While ENCRYPTION_KEY_PREVIOUS is set, encrypts everything anew with ENCRYPTION_KEY, at half speed, and then retires the earlier keys.',
    seen: '`GET /backoffice/v1/maintenance-runs?kind=reseal`; the page `/settings/projections`; a line in the log when the earlier keys are retired',
    everyMs: RESEAL_EVERY_MS,
    handler: KeyResealing,
  }),
];
