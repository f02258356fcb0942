import type { Abstract, Type } from '@nestjs/common';
import { SpanKind } from '@opentelemetry/api';
import { traced } from '#base/tracing';
import { type BackgroundTask, type NumberOrSetting, type TaskText, textOf, valueOf } from '#platform/background-task';
import type { JobQueue, QueueName } from './job-queue.js';
import { JobWorker } from './queues/job-worker.js';
import { QueueBackend } from './queue-backend.js';

/** An error is logged and the job is dropped. Rows decide what is still to do. */
export interface JobProcessor<Job, Again = void> {
  /** May return when another job must come. */
  process(job: Job): Promise<Again>;
  stop?(): void;
}

type Scheduler<Again> = Readonly<{ schedule(wakeups: readonly NonNullable<Again>[]): Promise<void> }>;

/** Processes a job, and adds the one that must come. If that fails, a sweep adds it. */
export async function processJob<Job, Again>(
  job: Job,
  processor: JobProcessor<Job, Again>,
  scheduler: Scheduler<Again> | undefined,
  onError: (error: unknown) => void,
): Promise<void> {
  const again = await processor.process(job);
  if (again) await scheduler?.schedule([again]).catch(onError);
}

type QueueTask<Job, Again> = TaskText &
  Readonly<{
    queue: QueueName;
    concurrency: NumberOrSetting;
    processor: Type<JobProcessor<Job, Again>> | Abstract<JobProcessor<Job, Again>>;
    /** Adds the jobs that the processor asks for. */
    scheduler?: Type<Scheduler<Again>>;
    /** Each job is a trace of its own. Otherwise the processor continues the traces of its rows. */
    isTrace?: true;
  }>;

/** The span of a job's work. */
export const jobSpan = (queue: QueueName) => ({
  name: `process ${queue}`,
  kind: SpanKind.CONSUMER,
  attributes: {
    'messaging.system': 'bullmq',
    'messaging.destination.name': queue,
    'messaging.operation.type': 'process',
  },
});

export function queueTask<Job extends object, Again = void>(task: QueueTask<Job, Again>): BackgroundTask {
  const { queue, concurrency, processor, scheduler, isTrace, ...text } = task;
  return {
    ...text,
    queue,
    schedule: `a job of the queue \`${queue}\``,
    concurrency: `${textOf(concurrency)} jobs in each process`,
    open({ get, settings, onError, timed }) {
      const processing = get(processor);
      const scheduling = scheduler && get(scheduler);
      const worker = new JobWorker<Job>(get(QueueBackend), {
        name: queue,
        process(job) {
          const work = () => timed(() => processJob(job, processing, scheduling, onError));
          return isTrace ? traced(jobSpan(queue), work) : work();
        },
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
