import type { BackgroundTask } from '#operations/tasks/background-task';
import { repeatedTask } from '#operations/tasks/repeated-task';
import { Sessions } from './sessions.js';
import { SignInLimiter } from './sign-in-limiter.js';

const EVERY_MS = 600_000;

export const PEOPLE_TASKS: readonly BackgroundTask[] = [
  repeatedTask({
    name: 'ended sessions',
    does: 'Deletes the sessions of operators that are over.',
    seen: 'table `sessions`',
    everyMs: EVERY_MS,
    handler: Sessions,
    run: (sessions) => sessions.prune(),
  }),
  repeatedTask({
    name: 'failed sign-ins',
    does: 'Deletes failed sign-ins that no longer count.',
    seen: 'table `sign_in_failures`',
    everyMs: EVERY_MS,
    handler: SignInLimiter,
    run: (limiter) => limiter.prune(),
  }),
];
