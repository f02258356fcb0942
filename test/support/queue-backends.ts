import { Redis } from 'ioredis';
import { type QueueBackend, queueBackend } from '#delivery-kit/queue-backend';
import { applicationUrl, createDurableCluster, createTestDatabase } from './database.js';
import { redisAvailable, startRedis } from './redis.js';

/** A server for BullMQ that a test can kill and restart. */
export type QueueServer = Readonly<{
  backend: QueueBackend;
  kill(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}>;

export async function redisServer(): Promise<QueueServer & { flush(): Promise<void> }> {
  const redis = await startRedis();
  return {
    ...redis,
    backend: queueBackend({ redisUrl: redis.url, databaseUrl: 'postgres://unused.invalid/unused' }),
    async flush() {
      const client = new Redis(redis.url);
      await client.flushall();
      client.disconnect();
    },
  };
}

async function postgresServer(): Promise<QueueServer> {
  const cluster = await createDurableCluster();
  const backend = queueBackend({ databaseUrl: applicationUrl(cluster.url) });
  return { backend, kill: () => cluster.kill(), restart: () => cluster.restart(), stop: () => cluster.remove() };
}

/** A database on the cluster of this run. It is quick to create, but cannot be killed. */
async function postgresDatabase(): Promise<Pick<QueueServer, 'backend' | 'stop'>> {
  const database = await createTestDatabase();
  return { backend: queueBackend({ databaseUrl: applicationUrl(database.url) }), stop: () => database.drop() };
}

/** Both backends of BullMQ, for `describe.each`. `skip` is set if there is no Redis. */
export const queueServers = [
  { name: 'Redis', skip: !redisAvailable, start: redisServer, startQuick: redisServer },
  { name: 'Postgres', skip: false, start: postgresServer, startQuick: postgresDatabase },
];
