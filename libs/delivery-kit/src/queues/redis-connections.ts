import { type BackendFactory, createRedisBackend, type RedisQueueBackend } from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';

// Redis answers in milliseconds. After this long the connection is dead or the server hangs.
const ANSWER_WITHIN_MS = 4_000;

// How long one command waits for a job. BullMQ drops the connection 1 s later.
export const BLOCK_FOR_S = 3;
const BLOCKED_WITHIN_MS = BLOCK_FOR_S * 1_000 + ANSWER_WITHIN_MS;

export const redisOptions = {
  retryStrategy: (times: number) => Math.min(times * 50, 1_000) * (0.5 + Math.random() / 2),
  connectTimeout: ANSWER_WITHIN_MS,
  socketTimeout: ANSWER_WITHIN_MS,
  disconnectTimeout: 500,
  keepAlive: 10_000,
} satisfies RedisOptions;

/** A worker's connection. BullMQ duplicates it for blocking commands, which need a longer timeout. */
export function workerConnection(url: string): Redis {
  const connection = new Redis(url, { ...redisOptions, maxRetriesPerRequest: null });
  const duplicate = connection.duplicate.bind(connection);
  connection.duplicate = (override) => duplicate({ ...override, socketTimeout: BLOCKED_WITHIN_MS });
  return connection;
}

/** BullMQ's Redis backend with a shorter block time. By default it notices a dead connection only after 10 s. */
export const createBlockingBackend: BackendFactory<RedisQueueBackend> = (name, options, how) => {
  const backend = createRedisBackend(name, options, how);
  return Object.defineProperty(backend, 'maximumBlockTimeout', { value: BLOCK_FOR_S });
};
