import type { BackgroundTask } from '#platform/background-task';
import { stoppableTask } from '#platform/stoppable-task';
import { OrderTransferRunner } from './files/order-transfer-runner.js';

export const ORDER_TRANSFER_TASKS: readonly BackgroundTask[] = [
  stoppableTask({
    name: 'transfers',
    does: 'Writes the files of exports and reads those of imports, one at a time in each worker.',
    seen: '`GET /backoffice/v1/jobs`',
    everyMs: 500,
    handler: OrderTransferRunner,
  }),
];
