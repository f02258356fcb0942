import type { BackgroundTask, OpenTask, RunOutcome, TaskContext, TaskText } from './background-task.js';

type FollowingTask = TaskText &
  Readonly<{
    /** What it follows, and how often it looks, in words. */
    follows: string;
    /** Without it nothing is delivered: it is part of `/health/live`. */
    vital?: boolean;
    worker: (context: TaskContext) => OpenTask & { onIteration(listener: (outcome: RunOutcome) => void): void };
  }>;

/** A task that follows a table without end. One process does it; the others stand by. */
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
