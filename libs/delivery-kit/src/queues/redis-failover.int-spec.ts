import { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { redisAvailable, startRedis } from '../../../../test/support/redis.js';
import { startRedisCluster, startSentinelGroup } from '../../../../test/support/redis-groups.js';
import { SilentProxy } from '../../../../test/support/silent-proxy.js';
import { until } from '../../../../test/support/until.js';
import { JobQueue } from '../job-queue.js';
import { queueBackend } from '../queue-backend.js';
import { JobWorker } from './job-worker.js';
import { createBlockingBackend, workerConnection } from './redis-connections.js';

type Job = Readonly<{ name: string }>;

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

/** A queue and its worker. The returned function adds a job, again and again until one is added, and waits until it is done. */
function jobsOn(redisUrl: string): (name: string) => Promise<unknown> {
  const done = new Set<string>();
  const backend = queueBackend({ redisUrl, databaseUrl: 'postgres://unused.invalid/unused' });
  const queue = new JobQueue<Job>('pings', backend, () => undefined);
  const worker = new JobWorker<Job>(backend, {
    name: 'pings',
    process: async ({ name }) => void done.add(name),
    concurrency: 5,
    onError: () => undefined,
  });
  worker.start();
  stops.push(() => Promise.all([worker.stop(2_000), queue.close()]));
  return (name) => until(() => queue.add([{ id: `job-${name}`, data: { name } }]).then(() => done.has(name)));
}

async function expectJobsSoon(perform: (name: string) => Promise<unknown>): Promise<void> {
  const from = performance.now();
  await perform('after');
  expect(performance.now() - from).toBeLessThan(5_000);
}

describe.skipIf(!redisAvailable)('jobs go on within 5 s of the new master', () => {
  it.each([
    ['the master that Sentinels watch is lost', startSentinelGroup],
    ['a node of a cluster is lost', startRedisCluster],
  ])('when %s', async (_loss, start) => {
    const group = await start();
    stops.push(group.stop);
    const perform = jobsOn(group.url);
    await perform('before');
    await group.failOver();
    await expectJobsSoon(perform);
  });

  it('when a cluster is whole again that was not while a worker connected', async () => {
    const group = await startRedisCluster();
    stops.push(group.stop);
    const [, password = ''] = /:([^:@]+)@/.exec(group.url) ?? [];
    const ports = [...group.url.matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) => Number(port));
    const nodes = ports.map((port) => new Redis({ port, password }));
    stops.push(async () => nodes.forEach((node) => node.disconnect()));
    const isWhole = async () => String(await nodes[0]?.cluster('INFO')).includes('cluster_state:ok');
    const connection = workerConnection(group.url);
    const options = { connection, prefix: '{willcall-pings}' };
    const backend = createBlockingBackend('pings', options, { withBlockingConnection: true });
    stops.push(() => backend.close(true));
    await backend.waitUntilReady();
    // Replicas have none.
    await Promise.allSettled(nodes.map((node) => node.cluster('DELSLOTS', 0)));
    await until(async () => !(await isWhole()));
    await backend.blockingConnection?.disconnect(true);
    await expect(backend.reconnectBlocking()).rejects.toThrow('connecting to Redis');
    await nodes[0]?.cluster('ADDSLOTS', 0);
    await until(isWhole);
    await backend.reconnectBlocking();
    expect(await backend.waitForJob(0.1)).toBeNull();
  }, 30_000);

  it('when the master behind a plain address becomes a replica, which keeps its connections', async () => {
    const [former, heir] = await Promise.all([startRedis(), startRedis()]);
    const address = await SilentProxy.before(former.url);
    const client = new Redis(former.url);
    stops.push(
      () => Promise.all([former.kill(), heir.kill()]),
      () => address.close(),
      async () => client.disconnect(),
    );
    const perform = jobsOn(address.through(former.url));
    await perform('before');
    await client.replicaof('127.0.0.1', heir.port);
    address.redirect(heir.url);
    await expectJobsSoon(perform);
  });
});
