import type { BackgroundTask } from '#operations/tasks/background-task';
import { repeatedTask } from '#operations/tasks/repeated-task';
import { JobRunner } from './job-runner.js';

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
