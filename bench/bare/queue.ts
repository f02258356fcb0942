import { once } from 'node:events';
import { createRedisBackend, Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { machineMs } from '../setup/machine-clock.js';
import { serveRequests } from '../setup/side-process.js';

export type QueueRequest = Readonly<{ redisUrl: string; jobs: number }>;

export type QueueResult = Readonly<{ perSecond: number; cpuMicros: number }>;

const CONCURRENCY = 50;
const JOBS_AT_ONCE = 500;
const prefix = 'limit';

/** BullMQ alone: adds empty jobs and processes them in the same process. */
serveRequests(async ({ redisUrl, jobs }: QueueRequest): Promise<QueueResult> => {
  const adding = new Redis(redisUrl, { maxRetriesPerRequest: null });
  const working = new Redis(redisUrl, { maxRetriesPerRequest: null });
  const defaultJobOptions = { removeOnComplete: true, removeOnFail: true };
  const queue = new Queue('empty', { connection: adding, prefix, defaultJobOptions }, createRedisBackend);
  const options = { connection: working, prefix, concurrency: CONCURRENCY };
  const worker = new Worker('empty', async () => undefined, options, createRedisBackend);
  await Promise.all([queue.waitUntilReady(), worker.waitUntilReady()]);
  let left = jobs;
  const all = new AbortController();
  worker.on('completed', () => {
    left -= 1;
    if (left === 0) all.abort();
  });
  const cpu = process.cpuUsage();
  const began = machineMs();
  for (let added = 0; added < jobs; added += JOBS_AT_ONCE) {
    const count = Math.min(JOBS_AT_ONCE, jobs - added);
    await queue.addBulk(Array.from({ length: count }, () => ({ name: 'empty', data: {} })));
  }
  if (left > 0) await once(all.signal, 'abort');
  const seconds = (machineMs() - began) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  await Promise.all([worker.close(), queue.close()]);
  for (const connection of [adding, working]) connection.disconnect();
  return { perSecond: jobs / seconds, cpuMicros: (user + system) / jobs };
});
