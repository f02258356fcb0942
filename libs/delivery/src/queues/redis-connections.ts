import { type BackendFactory, createRedisBackend, type RedisQueueBackend } from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';

// Redis answers in milliseconds. A connection without an answer for so long is dead, or the server stands still.
const ANSWER_WITHIN_MS = 4_000;

// How long a worker waits for a job in one command. BullMQ gives the connection up 1 s after that.
export const BLOCK_FOR_S = 3;
const BLOCKED_WITHIN_MS = BLOCK_FOR_S * 1_000 + ANSWER_WITHIN_MS;

/** Of every connection to Redis: it comes back within a second, and is given up when it is dead. */
export const redisOptions = {
  // BullMQ's own wait grows to 20 s.
  retryStrategy: (times: number) => Math.min(times * 50, 1_000) * (0.5 + Math.random() / 2),
  connectTimeout: ANSWER_WITHIN_MS,
  socketTimeout: ANSWER_WITHIN_MS,
  // A dead connection does not acknowledge its end either.
  disconnectTimeout: 500,
  keepAlive: 10_000,
} satisfies RedisOptions;

/** A worker's connection. BullMQ duplicates it for the commands that block, which have more time for their answer. */
export function workerConnection(url: string): Redis {
  const connection = new Redis(url, { ...redisOptions, maxRetriesPerRequest: null });
  const duplicate = connection.duplicate.bind(connection);
  connection.duplicate = (override) => duplicate({ ...override, socketTimeout: BLOCKED_WITHIN_MS });
  return connection;
}

/** BullMQ's Redis backend, which by itself blocks for up to 10 s and notices a dead connection only after that. */
export const createBlockingBackend: BackendFactory<RedisQueueBackend> = (name, options, how) => {
  const backend = createRedisBackend(name, options, how);
  return Object.defineProperty(backend, 'maximumBlockTimeout', { value: BLOCK_FOR_S });
};
