import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { SystemClock } from '#base/clock';
import { SeededRandomness } from '#base/seeded-randomness';
import { createPool } from '#database/pool';
import { Listings } from '#listings/listings';
import { applicationUrl, createTestDatabase, ownerPool, type TestDatabase } from '../../database.js';
import { checkoutListing } from '../../listing-body.js';
import { redisAvailable, startRedis, type TestRedis } from '../../redis.js';
import type { ProviderDouble, WebhookTiming } from '../provider-double.js';
import { untilAtRest } from './at-rest.js';
import { Life } from './life.js';
import { moneyViolations } from './money-judge.js';
import { PayingProgram } from './paying-program.js';
import { Shop } from './shop.js';
import { WebhookAddress } from './webhook-address.js';

// As many as a life with its buyers crosses in its first second.
const SEAMS = 70;
// A life that crosses fewer ends then.
const LONGEST_LIFE_MS = 1_200;

// About as long as a life, so that the next one asks what became of its payments.
const TIMEOUT_MS = 1_000;
// On a busy machine an answer may take longer than a second, and whoever gives up waits longer each time.
const LAST_TIMEOUT_MS = 5_000;

const TIMINGS: readonly WebhookTiming[] = ['first', 'at-once', 'never'];
const SETTLES = 0.1;
const FORGETS_KEYS = 0.05;
const READS_EVENTS = 0.3;
export const FAULTS = {
  refused: 0.01,
  broken: 0.01,
  'broken-saved': 0.01,
  'done-broken': 0.01,
  dropped: 0.01,
  'done-dropped': 0.01,
};

// A statement that waits for a lock would outlive its dead program, and after hundreds of crashes there is no connection left.
const ENDS_WITH_ITS_CLIENT = `
  do $$ begin execute format('alter database %I set client_connection_check_interval = 200', current_database()); end $$`;

type Provider = Readonly<{ name: 'stripe' | 'braintree'; double: ProviderDouble }>;

/** What all lives share. */
type Shared = Readonly<{
  database: TestDatabase;
  /** The programs' connections. */
  pool: Pool;
  /** The judge's. */
  owner: Pool;
  /** Without it, the queue is in the database. */
  redis: TestRedis | undefined;
  webhooks: WebhookAddress;
}>;

/** One life of the program after another, on the same database, queue and provider. Each dies at a seam that its seed chooses. */
export class CrashCourse {
  /** How many lives died at which seam. */
  readonly deaths = new Map<string, number>();
  readonly #shop = new Shop();

  private constructor(
    private readonly provider: Provider,
    private readonly shared: Shared,
  ) {}

  static async open(provider: Provider): Promise<CrashCourse> {
    const database = await createTestDatabase();
    const databaseUrl = applicationUrl(database.url);
    const pool = createPool({ databaseUrl, max: 8, applicationName: 'mortal', onError: () => undefined });
    const owner = ownerPool(database.url);
    await owner.query(ENDS_WITH_ITS_CLIENT);
    await new Listings(owner, new SystemClock()).put('lst-1', checkoutListing({ quantity: 100_000 }));
    const redis = redisAvailable ? await startRedis() : undefined;
    const webhooks = await WebhookAddress.listen(provider.name);
    return new CrashCourse(provider, { database, pool, owner, redis, webhooks });
  }

  /** One life: buyers, staff, faults of the provider and the end of it all follow from the seed. */
  async crash(seed: number): Promise<void> {
    const random = new SeededRandomness(seed);
    const { double } = this.provider;
    const life = new Life(1 + random.integer(SEAMS));
    double.fail({ seed, rates: FAULTS });
    double.sendWebhooksTo(this.shared.webhooks.url, random.pick(TIMINGS));
    if (random.fraction() < SETTLES) double.settle();
    if (random.fraction() < FORGETS_KEYS) double.forgetKeys();
    const lived = this.live(life, TIMEOUT_MS).then((program) => {
      void this.#shop.open(program, random);
      if (random.fraction() < READS_EVENTS) program.readProviderEvents().catch(() => undefined);
      return pause(LONGEST_LIFE_MS);
    });
    await Promise.race([life.death, lived]);
    life.end('at rest');
    const seam = await life.death;
    this.deaths.set(seam, (this.deaths.get(seam) ?? 0) + 1);
  }

  /** Lets a last life do everything that is due. @returns what disagrees then */
  async violations(): Promise<string[]> {
    const { name, double } = this.provider;
    const { owner } = this.shared;
    const life = new Life(0);
    double.fail(undefined);
    await this.live(life, LAST_TIMEOUT_MS);
    await untilAtRest(owner, double);
    life.end('at rest');
    return await moneyViolations(owner, { name, book: double.book }, this.#shop.attempts);
  }

  async close(): Promise<void> {
    const { database, pool, owner, redis, webhooks } = this.shared;
    webhooks.close();
    await this.provider.double.stop();
    await Promise.all([pool.end(), owner.end(), redis?.stop()]);
    await database.drop();
  }

  private async live(life: Life, paymentTimeoutMs: number): Promise<PayingProgram> {
    const { database, pool, redis, webhooks } = this.shared;
    const queues = { databaseUrl: applicationUrl(database.url), redisUrl: redis?.url };
    const program = await PayingProgram.start({ pool, queues, paymentTimeoutMs, ...this.provider }, life);
    await life.breathe();
    webhooks.running = { program, life };
    life.atEnd(() => (webhooks.running = undefined));
    return program;
  }
}
