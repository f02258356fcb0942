import type { BackgroundTask } from '#platform/background-task';
import { repeatedTask } from '#platform/repeated-task';
import { JobRunner } from './jobs/job-runner.js';

export const JOB_TASKS: readonly BackgroundTask[] = [
  repeatedTask({
    name: 'jobs',
    does: 'Changes the orders of running jobs, in batches.',
    seen: '`GET /backoffice/v1/jobs`',
    everyMs: 250,
    idleMs: 500,
    handler: JobRunner,
    run: (runner) => runner.step(),
  }),
];
