import type { Abstract, Type } from '@nestjs/common';
import { type BackgroundTask, type NumberOrSetting, type TaskText, textOf, valueOf } from '#platform/background-task';
import type { JobQueue, QueueName } from './job-queue.js';
import { JobWorker } from './queues/job-worker.js';
import { QueueBackend } from './queue-backend.js';

/** An error is logged and the job is dropped. Rows decide what is still to do. */
export interface JobProcessor<Job> {
  process(job: Job): Promise<void>;
  stop?(): void;
}

type QueueTask<Job> = TaskText &
  Readonly<{
    queue: QueueName;
    concurrency: NumberOrSetting;
    processor: Type<JobProcessor<Job>> | Abstract<JobProcessor<Job>>;
  }>;

export function queueTask<Job extends object>(task: QueueTask<Job>): BackgroundTask {
  const { queue, concurrency, processor, ...text } = task;
  return {
    ...text,
    queue,
    schedule: `a job of the queue \`${queue}\``,
    concurrency: `${textOf(concurrency)} jobs in each process`,
    open({ get, settings, onError, timed }) {
      const processing = get(processor);
      const worker = new JobWorker<Job>(get(QueueBackend), {
        name: queue,
        process: (job) => timed(() => processing.process(job)),
        concurrency: valueOf(concurrency, settings),
        onError,
      });
      return {
        start: () => worker.start(),
        stop(graceMs) {
          processing.stop?.();
          return worker.stop(graceMs);
        },
      };
    },
  };
}

/** Each queue needs exactly one task. */
export function queueErrors(
  tasks: readonly BackgroundTask[],
  queues: readonly Pick<JobQueue<object>, 'name'>[],
): string[] {
  return queues
    .map(({ name }) => ({ name, count: tasks.filter(({ queue }) => queue === name).length }))
    .filter(({ count }) => count !== 1)
    .map(({ name, count }) => `the queue "${name}" is processed by ${count} tasks, not by one`);
}
