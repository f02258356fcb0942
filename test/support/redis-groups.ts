import { Redis } from 'ioredis';
import { quietPort } from './quiet-port.js';
import { launchServer, startRedis, type TestRedis } from './redis.js';
import { temporaryFolder } from './temporary-folder.js';
import { until } from './until.js';

/** Servers of which another one becomes the master when the master is gone. */
export type RedisGroup = Readonly<{
  /** As in REDIS_URL. */
  url: string;
  /** kill -9 of the master that has the queue of pings, once. Returns when its replica is the master, after 1 to 3 s. */
  failOver(): Promise<void>;
  stop(): Promise<void>;
}>;

const [PASSWORD, WATCH_PASSWORD] = ['secret-of-redis', 'secret-of-sentinels'];
const WITH_PASSWORD = [`requirepass ${PASSWORD}`, `masterauth ${PASSWORD}`];
const SLOTS = 16_384;

const clientOf = (port: number, password?: string) => {
  const client = new Redis({ port, host: '127.0.0.1', ...(password && { password }), retryStrategy: () => 100 });
  client.on('error', () => undefined);
  return client;
};

/** A master, a replica, and three Sentinels, with a password each. */
export async function startSentinelGroup(): Promise<RedisGroup> {
  const first = await startRedis(WITH_PASSWORD);
  const second = await startRedis([...WITH_PASSWORD, `replicaof 127.0.0.1 ${first.port}`]);
  const sentinels = await Promise.all([1, 2, 3].map(() => startSentinel(first.port)));
  const watch = clientOf(sentinels[0]?.port ?? 0, WATCH_PASSWORD);
  const masterPort = async () =>
    Number(((await watch.call('sentinel', 'get-master-addr-by-name', 'main')) as string[])[1]);
  const isComplete = async () => {
    const lists = ['replicas', 'sentinels'].map(
      async (list) => (await watch.call('sentinel', list, 'main')) as unknown[],
    );
    return (await Promise.all(lists)).map(({ length }) => length).join() === '1,2';
  };
  await until(isComplete);
  return {
    url: `redis+sentinel://:${PASSWORD}@${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}/main?sentinel_password=${WATCH_PASSWORD}`,
    async failOver() {
      await first.kill();
      await until(async () => (await masterPort()) === second.port);
    },
    async stop() {
      watch.disconnect();
      for (const { server } of sentinels) server.kill('SIGKILL');
      await Promise.all([first, second].map(removed));
    },
  };
}

async function startSentinel(masterPort: number) {
  const port = await quietPort();
  const configuration = [
    `port ${port}`,
    `dir ${temporaryFolder('sentinel')}`,
    `requirepass ${WATCH_PASSWORD}`,
    `sentinel sentinel-pass ${WATCH_PASSWORD}`,
    `sentinel monitor main 127.0.0.1 ${masterPort} 2`,
    `sentinel auth-pass main ${PASSWORD}`,
    'sentinel down-after-milliseconds main 500',
    'sentinel failover-timeout main 2000',
  ];
  return { port, server: await launchServer(configuration, port, '--sentinel') };
}

/** Three masters, and a replica of the one that has the queue of pings. */
export async function startRedisCluster(): Promise<RedisGroup> {
  const options = ['cluster-enabled yes', 'cluster-node-timeout 1000', ...WITH_PASSWORD];
  const servers = await Promise.all([1, 2, 3, 4].map(() => startRedis(options)));
  const clients = servers.map(({ port }) => clientOf(port, PASSWORD));
  const [first, , , last] = clients as [Redis, Redis, Redis, Redis];
  const slot = Number(await first.cluster('KEYSLOT', '{willcall-pings}'));
  const third = Math.ceil(SLOTS / 3);
  await Promise.all(
    clients.slice(0, 3).map((client, index) => {
      const [from, to] = [index * third, Math.min((index + 1) * third, SLOTS) - 1];
      return client.call('cluster', 'addslotsrange', from, to);
    }),
  );
  for (const { port } of servers.slice(1)) await first.cluster('MEET', '127.0.0.1', port);
  const owner = Math.floor(slot / third);
  const id = await clients[owner]?.cluster('MYID');
  await until(() => last.cluster('REPLICATE', String(id)));
  await until(async () => (await last.info('replication')).includes('master_link_status:up'));
  const isWhole = async () => String(await last.cluster('INFO')).includes('cluster_state:ok');
  await until(isWhole);
  return {
    url: `redis+cluster://:${PASSWORD}@${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    async failOver() {
      await servers[owner]?.kill();
      await until(async () => (await isWhole()) && (await last.info('replication')).includes('role:master'));
    },
    async stop() {
      for (const client of clients) client.disconnect();
      await Promise.all(servers.map(removed));
    },
  };
}

/** Redis ignores SIGTERM while it writes the first file of a new replica. */
async function removed(server: TestRedis): Promise<void> {
  await server.kill();
  await server.stop();
}
