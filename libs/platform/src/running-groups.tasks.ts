import type { BackgroundTask } from './background-task.js';
import { repeatedTask } from './repeated-task.js';
import { NOTED_EVERY_MS, RunningGroups } from './running-groups.js';

/** Of every worker. */
export const RUNNING_GROUP_TASKS: readonly BackgroundTask[] = [
  repeatedTask({
    name: 'running groups',
    does: 'Notes which groups of `TASKS` this worker runs.',
    seen: 'table `task_groups`; `willcall doctor` names groups that no worker runs',
    everyMs: NOTED_EVERY_MS,
    firstAfterMs: 100,
    handler: RunningGroups,
    run: (groups) => groups.note(),
  }),
];
