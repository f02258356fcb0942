import type { BackgroundTask } from '#platform/background-task';
import { repeatedTask } from '#platform/repeated-task';
import { StatusCatalogues } from './status-catalogues.js';

/** Of every process that decides about orders. */
export const STATUS_CATALOGUE_TASKS: readonly BackgroundTask[] = [
  repeatedTask({
    name: 'status catalogue',
    does: 'Starts to use a status catalogue that was saved in the console.',
    seen: '`version` in `GET /backoffice/v1/status-catalogue`',
    everyMs: 2_000,
    handler: StatusCatalogues,
    run: (catalogues) => catalogues.refresh(),
  }),
];
