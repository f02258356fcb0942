import { Cluster, Redis } from 'ioredis';
import { type RedisAddress, redisAddress } from '#base/redis-address';
import { withTimeout } from '#base/with-timeout';
import { QUEUE_NAMES } from './job-queue.js';
import { clusterOptions, sentinelOptions } from './queues/redis-connections.js';

/** `advice` says what to do about what is wrong. */
export type RedisHealth = Readonly<{ state: 'ok' | 'warn' | 'fail'; detail: string; advice?: string }>;

const ANSWER_WITHIN_MS = 5_000;

const never = () => null;

/**
 * Whether Redis is reachable, is what the address says, takes jobs, and keeps them.
 * @param url as in REDIS_URL
 */
export async function redisHealth(url: string): Promise<RedisHealth> {
  const address = redisAddress(url);
  if (address === undefined) return fail('has no valid address', 'See REDIS_URL.');
  const causes: Error[] = [];
  const asked = address.kind === 'cluster' ? askCluster(address, causes) : askMaster(address, causes);
  try {
    return await asked;
  } catch (error) {
    const cause = causes.find(({ message }) => !message.startsWith('Connection is closed'));
    return unreachable(address, (cause ?? (error as Error)).message);
  }
}

function unreachable(address: RedisAddress, cause: string): RedisHealth {
  if (cause.includes('cluster support disabled')) {
    return fail(`is one server (${cause})`, 'Begin REDIS_URL with redis:// or rediss://.');
  }
  if (address.kind === 'sentinel' && /No such master|invalid reply: null/.test(cause)) {
    return fail(`has no master "${address.master}" that its Sentinels know`, 'See the name at the end of REDIS_URL.');
  }
  return fail(`does not answer (${cause})`, 'See REDIS_URL. Purchases go on without it, pings wait.');
}

async function askMaster(address: Exclude<RedisAddress, { kind: 'cluster' }>, causes: Error[]): Promise<RedisHealth> {
  const once = { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: never };
  const redis =
    address.kind === 'sentinel'
      ? new Redis({ ...sentinelOptions(address), ...once, sentinelRetryStrategy: never })
      : new Redis(address.url, { ...once, connectTimeout: ANSWER_WITHIN_MS });
  for (const event of ['error', 'sentinelError']) redis.on(event, (error: Error) => causes.push(error));
  try {
    return await withTimeout(health(redis), ANSWER_WITHIN_MS, 'Redis');
  } finally {
    redis.disconnect();
  }
}

async function health(redis: Redis): Promise<RedisHealth> {
  await redis.connect();
  const found = healthOf(await redis.info());
  if (found.state !== 'ok') return found;
  const formerQueues = await redis.exists(QUEUE_NAMES.map((name) => `willcall:${name}:meta`));
  if (formerQueues === 0) return found;
  const advice =
    "Once no process of that release runs: redis-cli --scan --pattern 'willcall:*' | xargs -n 500 redis-cli unlink";
  return warn(`${found.detail}, queues of an earlier release`, advice);
}

async function askCluster(address: Extract<RedisAddress, { kind: 'cluster' }>, causes: Error[]): Promise<RedisHealth> {
  const once = { lazyConnect: true, enableReadyCheck: false, clusterRetryStrategy: never };
  const cluster = new Cluster(address.nodes, { ...clusterOptions(address), ...once });
  cluster.on('error', () => undefined);
  cluster.on('node error', (error: Error) => causes.push(error));
  try {
    return await withTimeout(healthOfMasters(cluster), ANSWER_WITHIN_MS, 'Redis');
  } finally {
    cluster.disconnect();
  }
}

const STATES = ['fail', 'warn', 'ok'];

async function healthOfMasters(cluster: Cluster): Promise<RedisHealth> {
  await cluster.connect();
  if (!String(await cluster.cluster('INFO')).includes('cluster_state:ok')) {
    return fail('cluster has slots without a master', 'Start the missing nodes, or let replicas take over.');
  }
  const masters = cluster.nodes('master');
  const found = await Promise.all(masters.map(async (node) => healthOf(await node.info(), masters.length)));
  const worst = found.toSorted((a, b) => STATES.indexOf(a.state) - STATES.indexOf(b.state))[0];
  return worst ?? fail('cluster has no master', 'See REDIS_URL.');
}

/**
 * @param info the answer of a server to the command INFO
 * @param masters of the cluster that REDIS_URL names
 */
export function healthOf(info: string, masters?: number): RedisHealth {
  const value = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
  const server = `Redis ${value('redis_version')}`;
  if (value('redis_mode') === 'sentinel') {
    return fail(
      `${server} is a Sentinel`,
      'Begin REDIS_URL with redis+sentinel://, and end it with /name-of-the-master.',
    );
  }
  if (masters === undefined && value('cluster_enabled') === '1') {
    return fail(
      `${server} is a node of a cluster`,
      'Begin REDIS_URL with redis+cluster://, with TLS rediss+cluster://.',
    );
  }
  if (value('role') === 'slave') {
    const advice = 'Let REDIS_URL name the master, or with redis+sentinel:// the Sentinels that know it.';
    return fail(`${server} is a replica of ${value('master_host')}:${value('master_port')} and takes no jobs`, advice);
  }
  const policy = value('maxmemory_policy');
  const keepsFile = value('aof_enabled') === '1';
  const detail = [
    server,
    ...(masters === undefined ? [] : [`cluster of ${masters} masters`]),
    `maxmemory-policy ${policy}`,
    keepsFile ? 'append-only file' : 'no append-only file',
  ].join(', ');
  if (policy !== 'noeviction') return fail(detail, 'Set maxmemory-policy noeviction: Redis may drop jobs.');
  if (keepsFile) return { state: 'ok', detail };
  return warn(detail, 'Set appendonly yes: otherwise a restart empties the queue, which the sweep fills again.');
}

const fail = (detail: string, advice: string): RedisHealth => ({ state: 'fail', detail, advice });
const warn = (detail: string, advice: string): RedisHealth => ({ state: 'warn', detail, advice });
