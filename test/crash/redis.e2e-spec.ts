import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { redisAvailable, type TestRedis } from '../support/redis.js';
import { Load } from '../support/stand/load.js';
import { violationsAfter } from '../support/stand/settled.js';
import { Stand } from '../support/stand/stand.js';
import { until } from '../support/until.js';

describe.skipIf(!redisAvailable)('with BullMQ on Redis', () => {
  let stand: Stand;
  let redis: TestRedis;
  let load: Load;

  beforeAll(async () => {
    stand = await Stand.start({ database: 'shared', queues: 'redis' });
    redis = stand.parts.redis as TestRedis;
  });

  afterAll(() => stand.close());

  beforeEach(async () => {
    stand.platform.respond = () => ({});
    load = await Load.start({ apis: stand.apiUrls });
    await load.waitForPurchases();
  });

  // The load of a test that failed would keep the next test from settling.
  afterEach(() => load.stop());

  /** Makes pings that wait for a retry, so that Redis has jobs to lose. */
  async function everyPingFails(): Promise<void> {
    stand.platform.respond = () => ({ status: 503, headers: { 'retry-after': '1' } });
    await load.waitForPurchases();
    await until(async () => (await command('keys', '{willcall-pings}:pings:ord*')).length > 5);
  }

  async function command(name: string, ...args: string[]): Promise<readonly unknown[]> {
    const client = new Redis(redis.url);
    try {
      return [await client.call(name, ...args)].flat();
    } finally {
      client.disconnect();
    }
  }

  async function expectNoViolations(): Promise<void> {
    await load.waitForPurchases();
    await load.stop();
    expect(await violationsAfter(load, stand)).toEqual([]);
  }

  it('nothing is lost when Redis is emptied', async () => {
    await everyPingFails();
    await command('flushall');
    stand.platform.respond = () => ({});
    await expectNoViolations();
  });

  it('nothing is lost when Redis is killed and restarted', async () => {
    await everyPingFails();
    await redis.kill();
    await redis.restart();
    stand.platform.respond = () => ({});
    await expectNoViolations();
  });

  it('purchases continue while Redis is away, and their pings follow', async () => {
    await redis.kill();
    await load.waitForPurchases(100);
    expect(load.cut).toEqual([]);
    await redis.restart();
    await expectNoViolations();
  });

  it('another worker takes over the jobs of a killed one', async () => {
    stand.platform.respond = () => ({ afterMs: 100 });
    await load.waitForPurchases();
    await stand.worker().kill();
    await load.waitForPurchases();
    await stand.worker().start();
    await expectNoViolations();
  });
});
