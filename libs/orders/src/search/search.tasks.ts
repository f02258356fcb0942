import type { BackgroundTask } from '#operations/tasks/background-task';
import { repeatedTask } from '#operations/tasks/repeated-task';
import { BuyerDigestFilling } from './buyer-digest-filling.js';

export const SEARCH_TASKS: readonly BackgroundTask[] = [
  repeatedTask({
    name: 'buyer digests',
    does: 'Gives orders from before the search by phone number and last name the digests to be found by.',
    seen: 'the log line `older orders get the digests of their buyers`, which says how many it has done',
    everyMs: 60_000,
    handler: BuyerDigestFilling,
    run: (filling) => filling.run(),
  }),
];
