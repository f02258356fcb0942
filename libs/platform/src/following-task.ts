import type { BackgroundTask, OpenTask, RunOutcome, TaskContext, TaskText } from './background-task.js';

type FollowingTask = TaskText &
  Readonly<{
    /** What it follows, and how often it checks, in words. */
    follows: string;
    /** Delivery depends on it, so it is part of `/health/live`. */
    vital?: boolean;
    worker: (context: TaskContext) => OpenTask & { onIteration(listener: (outcome: RunOutcome) => void): void };
  }>;

/** Follows a table without end. One process does it, and the others stand by. */
export function followingTask(task: FollowingTask): BackgroundTask {
  const { follows, vital, worker, ...text } = task;
  return {
    ...text,
    schedule: `follows ${follows}`,
    concurrency: 'one process; the others stand by',
    ...(vital && { livenessPause: () => 0 }),
    open(context) {
      const opened = worker(context);
      opened.onIteration((outcome) => context.ran(outcome));
      return opened;
    },
  };
}
