import type { BackgroundTask } from '#operations/tasks/background-task';
import { repeatedTask } from '#operations/tasks/repeated-task';
import { ObjectRemovals } from './object-removals.js';

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
