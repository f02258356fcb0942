import type { BackgroundTask } from '#operations/tasks/background-task';
import { stoppableTask } from '#operations/tasks/stoppable-task';
import { TransferRunner } from './transfer-runner.js';

export const TRANSFER_TASKS: readonly BackgroundTask[] = [
  stoppableTask({
    name: 'transfers',
    does: 'Writes the files of exports and reads those of imports, one at a time in each worker.',
    seen: '`GET /backoffice/v1/jobs`',
    everyMs: 500,
    handler: TransferRunner,
  }),
];
