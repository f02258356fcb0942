import { createRedisBackend, type JobsOptions, type JobType, Queue, Worker, type WorkerOptions } from 'bullmq';
import { createDurableBackend, postgresOptions } from './queues/durable-postgres.js';
import {
  BLOCK_FOR_S,
  createBlockingBackend,
  producerConnection,
  workerConnection,
} from './queues/redis-connections.js';

export type QueueSettings = Readonly<{ redisUrl?: string | undefined; databaseUrl: string }>;

/** If it throws, the error is logged and the job is dropped. Rows decide what is still to do. */
export type JobHandler<Data> = (data: Data) => Promise<void>;

interface Connected {
  waitUntilReady(): Promise<unknown>;
  close(): Promise<void>;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

export interface BullQueue extends Connected {
  addBulk(jobs: { name: string; data: object; opts: JobsOptions }[]): Promise<unknown>;
  getJobCounts(...states: JobType[]): Promise<Record<string, number>>;
}

export interface BullWorker extends Connected {
  run(): Promise<void>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'failed', listener: (job: { id?: string | undefined } | undefined, error: Error) => void): unknown;
}

/** `disconnect` cuts connections that `close` leaves open or hangs on while the server is unreachable. */
export type QueueHandle<T> = Readonly<{ bull: T; disconnect: () => void }>;

export abstract class QueueBackend {
  abstract openQueue(name: string): QueueHandle<BullQueue>;
  abstract openWorker(name: string, process: JobHandler<object>, concurrency: number): QueueHandle<BullWorker>;
}

export function queueBackend({ redisUrl, databaseUrl }: QueueSettings): QueueBackend {
  return redisUrl === undefined ? onPostgres(databaseUrl) : onRedis(redisUrl);
}

// A finished job is removed, because its id must be free for the next job and Redis must not grow.
const JOB_OPTIONS: JobsOptions = { removeOnComplete: true, removeOnFail: true };

const WORKER_OPTIONS = {
  autorun: false,
  // The jobs of a killed worker are retried after the sum of these two. BullMQ's defaults would make that a minute.
  lockDuration: 10_000,
  stalledInterval: 5_000,
  runRetryDelay: 1_000,
} satisfies Partial<WorkerOptions>;

/** In a cluster, the text in braces decides which node has the keys of a queue. */
const prefixOf = (queue: string) => `{willcall-${queue}}`;

function onRedis(url: string): QueueBackend {
  return {
    openQueue(name) {
      const connection = producerConnection(url);
      const options = { connection, prefix: prefixOf(name), defaultJobOptions: JOB_OPTIONS };
      const bull = new Queue(name, options, createRedisBackend);
      return { bull, disconnect: () => connection.disconnect() };
    },
    openWorker(name, process, concurrency) {
      const connection = workerConnection(url);
      const options = { ...WORKER_OPTIONS, drainDelay: BLOCK_FOR_S, connection, prefix: prefixOf(name), concurrency };
      const bull = new Worker(name, ({ data }) => process(data), options, createBlockingBackend);
      return { bull, disconnect: () => connection.disconnect() };
    },
  };
}

function onPostgres(connectionString: string): QueueBackend {
  const connection = postgresOptions(connectionString);
  const disconnect = () => undefined;
  return {
    openQueue(name) {
      return {
        bull: new Queue(name, { connection, defaultJobOptions: JOB_OPTIONS }, createDurableBackend),
        disconnect,
      };
    },
    openWorker(name, process, concurrency) {
      const options = { ...WORKER_OPTIONS, connection, concurrency };
      return { bull: new Worker(name, ({ data }) => process(data), options, createDurableBackend), disconnect };
    },
  };
}
