import { usesSandbox } from '#base/settings';
import { queueTask } from '#delivery-kit/queue-task';
import type { BackgroundTask, TaskCondition } from '#platform/background-task';
import { repeatedTask } from '#platform/repeated-task';
import { ReadBack } from './read-back.js';

const onlyIf: TaskCondition = {
  is: 'with `SANDBOX`, while `PLATFORM_URL` is unset',
  holds: usesSandbox,
};

export const SANDBOX_PLATFORM_TASKS: readonly BackgroundTask[] = [
  queueTask({
    name: 'sandbox reads',
    does: 'Reads a purchase back after its ping, as a platform would.',
    seen: 'the page `/sandbox`',
    onlyIf,
    queue: 'sandbox-reads',
    concurrency: 10,
    processor: ReadBack,
  }),
  repeatedTask({
    name: 'sandbox sweep',
    does: 'Adds the jobs of overdue reads again.',
    seen: 'the page `/sandbox`',
    onlyIf,
    everyMs: 5_000,
    handler: ReadBack,
    run: (readBack) => readBack.sweep(),
  }),
];
