import { rmSync } from 'node:fs';
import type { Pool } from 'pg';
import { SystemClock } from '#base/clock';
import { TimeOrderedIds } from '#base/ids';
import { SystemRandomness } from '#base/randomness';
import { ClientRegistry } from '#accounts/clients';
import { Sealer } from '#base/sealing';
import { apiEnvironment } from '../api-environment.js';
import { PAYMENT, Platform, Staff, WHOLESALE } from '../callers.js';
import { createDurableCluster, createTestDatabase, type DurableCluster, ownerPool } from '../database.js';
import { quietPort } from '../quiet-port.js';
import { createReplicatedCluster, type ReplicatedCluster } from '../replicated-cluster.js';
import { startRedis, type TestRedis } from '../redis.js';
import { SilentProxy } from '../silent-proxy.js';
import { temporaryFolder } from '../temporary-folder.js';
import { PlatformDouble } from './platform-double.js';
import { type Program, Service, willcall } from './service.js';

type Settings = Readonly<Record<string, string>>;

type StandOptions = Readonly<{
  /**
   * `durable` is a cluster of its own on disk, which can be killed. `replicated` is two, with a synchronous standby. `shared` is a database on
   * this run's cluster. A URL is that of a migrated database which the test has started, with the login that migrates.
   */
  database?: 'durable' | 'replicated' | 'shared' | Readonly<{ url: string }>;
  /** BullMQ's backend. */
  queues?: 'redis' | 'postgres';
  apis?: number;
  workers?: number;
  /** Puts a proxy before PostgreSQL and Redis whose connections can go silent. */
  proxied?: boolean;
  settings?: Settings;
  /** The folder of another build, for the first apis and workers. */
  programs?: string;
}>;

/** Short times, so that a test does not wait long for them. */
const SETTINGS = {
  PAYMENT_TIMEOUT_MS: '1500',
  PAYMENT_OUTCOME_AFTER_MS: '2000',
  PING_RETRY_FIRST_MS: '100',
  PING_RETRY_MAX_MS: '500',
  // A killed worker's leases last 15 s longer.
  PING_TIMEOUT_MS: '1000',
  SWEEP_EVERY_MS: '500',
  DATABASE_POOL_SIZE: '5',
};

/** A whole Willcall: api and worker processes, their servers, and a platform in this process. */
export class Stand {
  private constructor(
    readonly folder: string,
    readonly environment: Readonly<Record<string, string>>,
    readonly pool: Pool,
    readonly platform: PlatformDouble,
    readonly parts: Readonly<{
      cluster?: DurableCluster;
      replicas?: ReplicatedCluster;
      redis?: TestRedis;
      apis: Service[];
      workers: Service[];
      proxies: Readonly<{ postgres: SilentProxy; redis?: SilentProxy }> | undefined;
    }>,
  ) {}

  /** Started and ready. Close it in an `afterAll`. */
  static async start(options: StandOptions = {}): Promise<Stand> {
    const {
      database = 'durable',
      queues = 'postgres',
      apis = 2,
      workers = 1,
      proxied = false,
      settings = {},
      programs,
    } = options;
    const folder = temporaryFolder('stand');
    const cluster = database === 'durable' ? await createDurableCluster() : undefined;
    const replicas = database === 'replicated' ? await createReplicatedCluster() : undefined;
    const started = typeof database === 'object' ? database : undefined;
    const { url } = started ?? cluster ?? replicas ?? (await createTestDatabase());
    const redis = queues === 'redis' ? await startRedis() : undefined;
    const platform = await PlatformDouble.listen([PAYMENT, WHOLESALE]);
    const proxies = proxied ? await proxiesBefore(url, redis?.url) : undefined;
    const environment: Record<string, string> = {
      ...apiEnvironment(replicas?.applicationUrl ?? proxies?.postgres.through(url) ?? url),
      ...SETTINGS,
      ...(replicas && { DATABASE_REPLICA_URL: replicas.standby.applicationUrl }),
      ...(redis && { REDIS_URL: proxies?.redis?.through(redis.url) ?? redis.url }),
      PLATFORM_URL: platform.url,
      ...settings,
    };
    const pool = ownerPool(url);
    await createWholesaleClient(pool, environment);
    const parts = {
      apis: [] as Service[],
      workers: [] as Service[],
      proxies,
      ...(cluster && { cluster }),
      ...(replicas && { replicas }),
      ...(redis && { redis }),
    };
    const stand = new Stand(folder, environment, pool, platform, parts);
    const all = <T>(count: number, add: (number: number) => Promise<T>) =>
      Promise.all(Array.from({ length: count }, (_, index) => add(index + 1)));
    [parts.apis, parts.workers] = await Promise.all([
      all(apis, (number) => stand.started('api', `api-${number}`, {}, programs)),
      all(workers, (number) => stand.started('worker', `worker-${number}`, {}, programs)),
    ]);
    platform.apis = stand.apiUrls;
    return stand;
  }

  /** Starts one more api, with these additional settings. */
  async addApi(name: string, settings: Settings = {}, programs?: string): Promise<Service> {
    const api = await this.started('api', name, settings, programs);
    this.parts.apis.push(api);
    this.platform.apis = this.apiUrls;
    return api;
  }

  async addWorker(name: string, settings: Settings = {}, programs?: string): Promise<Service> {
    const worker = await this.started('worker', name, settings, programs);
    this.parts.workers.push(worker);
    return worker;
  }

  private async started(program: Program, name: string, settings: Settings = {}, programs?: string): Promise<Service> {
    const port = { [program === 'api' ? 'PORT' : 'WORKER_PORT']: `${await quietPort()}` };
    const service = new Service(program, name, { ...this.environment, ...port, ...settings }, this.folder, programs);
    await service.start();
    return service;
  }

  get apiUrls(): string[] {
    return this.parts.apis.map(({ url }) => url);
  }

  /** Services that have ended. */
  get dead(): Service[] {
    return [...this.parts.apis, ...this.parts.workers].filter(({ running }) => !running);
  }

  api(number = 0): Service {
    return this.parts.apis[number] as Service;
  }

  worker(number = 0): Service {
    return this.parts.workers[number] as Service;
  }

  get payment(): Platform {
    return new Platform(this.api().url, PAYMENT);
  }

  get wholesale(): Platform {
    return new Platform(this.api().url, WHOLESALE);
  }

  get staff(): Staff {
    return new Staff(this.api().url);
  }

  /** The output of `willcall verify` if it found differences, else an empty text. */
  async verify(): Promise<string> {
    const { code, output } = await willcall(['verify'], this.environment);
    return code === 0 ? '' : output || `willcall verify ended with ${code}`;
  }

  async close(): Promise<void> {
    const { apis, workers, redis, cluster, replicas, proxies } = this.parts;
    await Promise.all([...apis, ...workers].map((service) => service.kill()));
    await this.platform.close();
    await this.pool.end();
    await Promise.all([proxies?.postgres.close(), proxies?.redis?.close()]);
    await redis?.stop();
    await cluster?.remove();
    await replicas?.remove();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function proxiesBefore(databaseUrl: string, redisUrl: string | undefined) {
  const redis = redisUrl === undefined ? {} : { redis: await SilentProxy.before(redisUrl) };
  return { postgres: await SilentProxy.before(databaseUrl), ...redis };
}

/** The api itself creates only the first client. */
async function createWholesaleClient(pool: Pool, environment: Readonly<Record<string, string>>): Promise<void> {
  const key = Buffer.from(environment['ENCRYPTION_KEY'] ?? '', 'base64');
  const sealer = new Sealer(key, new SystemRandomness());
  const clients = new ClientRegistry(pool, sealer, new SystemClock(), new TimeOrderedIds(), new SystemRandomness());
  await clients.create({ ...WHOLESALE, name: 'wholesale' });
}
