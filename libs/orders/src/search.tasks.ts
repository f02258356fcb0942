import type { BackgroundTask } from '#platform/background-task';
import { repeatedTask } from '#platform/repeated-task';
import { BuyerDigestFilling } from './search/buyer-digest-filling.js';

export const SEARCH_TASKS: readonly BackgroundTask[] = [
  repeatedTask({
    name: 'buyer digests',
    does: 'Updates the digests that find the buyers of orders from earlier versions, at most 500 orders a second in each process. Until then the earlier digests find them.',
    seen: '`order-search` in `GET /backoffice/v1/projections`; the log line `older orders get the digests of their buyers`',
    everyMs: 200,
    idleMs: 60_000,
    handler: BuyerDigestFilling,
    run: (filling) => filling.run(),
  }),
];
