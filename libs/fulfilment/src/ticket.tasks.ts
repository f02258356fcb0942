import type { BackgroundTask } from '#platform/background-task';
import { repeatedTask } from '#platform/repeated-task';
import { ObjectRemovals } from './tickets/object-removals.js';

export const TICKET_TASKS: readonly BackgroundTask[] = [
  repeatedTask({
    name: 'file removal',
    does: 'Removes files of tickets that were erased or taken back, and those of uploads that broke off.',
    seen: 'rows of `object_removals` whose `due_at` has passed',
    everyMs: 10_000,
    handler: ObjectRemovals,
    run: (removals) => removals.run(),
  }),
];
