import { type BackendFactory, createRedisBackend, type RedisQueueBackend } from 'bullmq';
import { Cluster, Redis } from 'ioredis';
import { type RedisAddress, redisAddress } from '#base/redis-address';
import { withTimeout } from '#base/with-timeout';

// Redis answers in milliseconds. After this long the connection is dead or the server hangs.
const ANSWER_WITHIN_MS = 4_000;
// A new master is found by the next attempt only, so each one is shorter where there can be one.
const FAIL_OVER_WITHIN_MS = 3_000;

// How long one command waits for a job. BullMQ drops the connection 1 s later.
export const BLOCK_FOR_S = 3;

// Adding a job must fail at once while Redis is unreachable. Rows and sweeps keep the pending work.
const PRODUCER = { maxRetriesPerRequest: 1, commandTimeout: 5_000 };
// BullMQ requires it: a worker waits for its server as long as it takes.
const WORKER = { maxRetriesPerRequest: null };

type Sentinels = Extract<RedisAddress, { kind: 'sentinel' }>;
type Nodes = Extract<RedisAddress, { kind: 'cluster' }>;

/** For adding jobs. In a cluster it is several connections, one to a node. @param url as in REDIS_URL */
export function producerConnection(url: string): Redis | Cluster {
  return connect(url, PRODUCER, false);
}

/** For a worker's commands. BullMQ duplicates it for blocking commands, which need a longer timeout. @param url as in REDIS_URL */
export function workerConnection(url: string): Redis | Cluster {
  const connection = connect(url, WORKER, true);
  if (connection instanceof Cluster) {
    const duplicate = connection.duplicate.bind(connection);
    connection.duplicate = (nodes, override) =>
      duplicate(nodes, {
        redisOptions: {
          connectionName: override?.redisOptions?.connectionName,
          socketTimeout: BLOCK_FOR_S * 1_000 + FAIL_OVER_WITHIN_MS,
        },
      });
    return connection;
  }
  const duplicate = connection.duplicate.bind(connection);
  const { socketTimeout = ANSWER_WITHIN_MS } = connection.options;
  connection.duplicate = (override) =>
    duplicate({ ...override, ...reconnection(), socketTimeout: BLOCK_FOR_S * 1_000 + socketTimeout });
  return connection;
}

function connect(url: string, use: typeof PRODUCER | typeof WORKER, enableOfflineQueue: boolean): Redis | Cluster {
  const address = redisAddress(url);
  if (address === undefined) throw new Error('REDIS_URL is no address of Redis');
  if (address.kind === 'cluster') {
    const { redisOptions, ...options } = clusterOptions(address);
    const clusterRetryStrategy = pause;
    const ofNodes = { ...redisOptions, ...use };
    return new Cluster(address.nodes, { ...options, clusterRetryStrategy, enableOfflineQueue, redisOptions: ofNodes });
  }
  const options = { ...use, ...reconnection(), enableOfflineQueue };
  if (address.kind === 'sentinel') return new Redis({ ...sentinelOptions(address), ...options });
  return new Redis(address.url, { ...waits(ANSWER_WITHIN_MS), ...options });
}

/** How to reach the master that Sentinels name. */
export function sentinelOptions({ sentinels, master, db, tls, login, sentinelLogin }: Sentinels) {
  return {
    ...waits(FAIL_OVER_WITHIN_MS),
    ...login,
    ...(tls && { tls: {}, enableTLSForSentinelMode: true, sentinelTLS: {} }),
    ...(sentinelLogin.username && { sentinelUsername: sentinelLogin.username }),
    ...(sentinelLogin.password && { sentinelPassword: sentinelLogin.password }),
    sentinelCommandTimeout: FAIL_OVER_WITHIN_MS,
    sentinels,
    name: master,
    db,
  };
}

/** How to reach the nodes of a cluster. */
export function clusterOptions({ tls, login }: Nodes) {
  return {
    // By name, not by number: a certificate has names.
    dnsLookup: (name: string, found: (error: null, address: string) => void) => found(null, name),
    redisOptions: { ...waits(FAIL_OVER_WITHIN_MS), ...login, ...(tls && { tls: {} }) },
  };
}

const waits = (answerWithinMs: number) => ({
  connectTimeout: answerWithinMs,
  socketTimeout: answerWithinMs,
  disconnectTimeout: 500,
  keepAlive: 10_000,
});

const pause = (times: number) => Math.min(times * 50, 1_000) * (0.5 + Math.random() / 2);

/**
 * When a connection is made anew. A master that became a replica refuses to write (READONLY). A new connection may lead to the new master;
 * while it does not, each one waits longer.
 */
function reconnection() {
  let isRefused = false;
  let refusals = 0;
  return {
    retryStrategy: (times: number) => {
      refusals = isRefused ? refusals + 1 : 0;
      isRefused = false;
      return pause(Math.max(times, refusals));
    },
    reconnectOnError: (error: Error) => {
      // The other answers of the same batch end the connection no second time.
      if (isRefused || !error.message.includes('READONLY')) return false;
      isRefused = true;
      return true;
    },
  };
}

/**
 * BullMQ's Redis backend with a shorter block time. By default it notices a dead connection only after 10 s. And it would wait for ever for
 * a connection to a cluster that was not whole when ioredis looked: that connects again, but its first promise never settles.
 */
export const createBlockingBackend: BackendFactory<RedisQueueBackend> = (name, options, how) => {
  const backend = createRedisBackend(name, options, how);
  const reconnect = backend.reconnectBlocking.bind(backend);
  return Object.defineProperties(backend, {
    maximumBlockTimeout: { value: BLOCK_FOR_S },
    reconnectBlocking: { value: () => withTimeout(reconnect(), FAIL_OVER_WITHIN_MS, 'connecting to Redis') },
  });
};
