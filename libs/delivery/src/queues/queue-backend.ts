import { createRedisBackend, type JobsOptions, type JobType, Queue, Worker, type WorkerOptions } from 'bullmq';
import { Redis } from 'ioredis';
import { createDurableBackend, postgresOptions } from './durable-postgres.js';
import { BLOCK_FOR_S, createBlockingBackend, redisOptions, workerConnection } from './redis-connections.js';

/** Where BullMQ keeps its jobs: in Redis where there is one, else in a schema of its own in Postgres. */
export type QueueSettings = Readonly<{ redisUrl?: string | undefined; databaseUrl: string }>;

/** Called with the data of each job; what it throws is reported and the job is gone: rows decide what is still to be done. */
export type Process<Data> = (data: Data) => Promise<void>;

interface Connected {
  waitUntilReady(): Promise<unknown>;
  close(): Promise<void>;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** What is used of BullMQ's Queue and Worker, whose types differ with the backend. */
export interface BullQueue extends Connected {
  addBulk(jobs: { name: string; data: object; opts: JobsOptions }[]): Promise<unknown>;
  getJobCounts(...states: JobType[]): Promise<Record<string, number>>;
}

export interface BullWorker extends Connected {
  run(): Promise<void>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'failed', listener: (job: unknown, error: Error) => void): unknown;
}

/** `disconnect` cuts what `close` leaves connected, or hangs on while the server is away. */
export type Opened<T> = Readonly<{ bull: T; disconnect: () => void }>;

/** BullMQ on one of its two backends; all that uses it is the same on both. */
export abstract class QueueBackend {
  abstract openQueue(name: string): Opened<BullQueue>;
  abstract openWorker(name: string, process: Process<object>, concurrency: number): Opened<BullWorker>;
}

/** The one place where the backend is chosen. */
export function queueBackend({ redisUrl, databaseUrl }: QueueSettings): QueueBackend {
  return redisUrl === undefined ? onPostgres(databaseUrl) : onRedis(redisUrl);
}

// A finished job leaves nothing behind: its id must be free for the next job, and Redis must not grow.
const JOB_OPTIONS: JobsOptions = { removeOnComplete: true, removeOnFail: true };

const WORKER_OPTIONS = {
  autorun: false,
  // A killed worker's jobs are taken up again after these two together; BullMQ's own values make that a minute.
  lockDuration: 10_000,
  stalledInterval: 5_000,
  // BullMQ's own is 15 s: too long to stand still once the server is back.
  runRetryDelay: 1_000,
} satisfies Partial<WorkerOptions>;

function onRedis(url: string): QueueBackend {
  const prefix = 'willcall';
  return {
    openQueue(name) {
      // Who adds a job hears at once that Redis is away: the rows and sweeps keep what is to be done, no queue in memory.
      const producer = { ...redisOptions, enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 5_000 };
      const connection = new Redis(url, producer);
      const bull = new Queue(name, { connection, prefix, defaultJobOptions: JOB_OPTIONS }, createRedisBackend);
      return { bull, disconnect: () => connection.disconnect() };
    },
    openWorker(name, process, concurrency) {
      const connection = workerConnection(url);
      const options = { ...WORKER_OPTIONS, drainDelay: BLOCK_FOR_S, connection, prefix, concurrency };
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
