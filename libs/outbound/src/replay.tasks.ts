import type { BackgroundTask } from '#platform/background-task';
import { repeatedTask } from '#platform/repeated-task';
import { ReplayWork } from './replay-work.js';

export const REPLAY_TASKS: readonly BackgroundTask[] = [
  repeatedTask({
    name: 'replays',
    does: 'Makes the pings and webhook deliveries of running replays due, at the rate of each replay.',
    seen: '`willcall replay list`; `GET /backoffice/v1/replays`',
    // Half of AHEAD_MS, so that there is no gap between two steps.
    everyMs: 250,
    idleMs: 500,
    handler: ReplayWork,
    run: (work) => work.step(),
  }),
];
