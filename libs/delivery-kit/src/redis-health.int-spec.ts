import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { quietPort } from '../../../test/support/quiet-port.js';
import { redisAvailable, startRedis, type TestRedis } from '../../../test/support/redis.js';
import { type RedisGroup, startSentinelGroup } from '../../../test/support/redis-groups.js';
import { until } from '../../../test/support/until.js';
import { RedisAtStart } from './redis-at-start.js';
import { redisHealth } from './redis-health.js';

describe.skipIf(!redisAvailable)('the health of', () => {
  let server: TestRedis;
  let group: RedisGroup;
  const others: TestRedis[] = [];
  beforeAll(async () => {
    [server, group] = await Promise.all([startRedis(), startSentinelGroup()]);
  });
  afterAll(async () => {
    await Promise.all(others.map((other) => other.kill()));
    await Promise.all([server.stop(), group.stop()]);
  });

  async function another(...options: string[]): Promise<string> {
    const other = await startRedis(options);
    others.push(other);
    return other.url;
  }

  const inCluster = (url: string) => url.replace('redis://', 'redis+cluster://');

  it('a server is good, and mentions queues of a release that had another prefix', async () => {
    expect(await redisHealth(server.url)).toMatchObject({ state: 'ok' });
    const client = new Redis(server.url);
    await client.hset('willcall:pings:meta', 'version', 'bullmq:6');
    expect(await redisHealth(server.url)).toMatchObject({
      state: 'warn',
      advice: expect.stringContaining("--pattern 'willcall:*'") as string,
    });
    await client.flushall();
    client.disconnect();
  });

  it('a master that Sentinels name is good, and bad under another name or password', async () => {
    expect(await redisHealth(group.url)).toMatchObject({ state: 'ok' });
    expect(await redisHealth(group.url.replace('/main?', '/other?'))).toMatchObject({
      state: 'fail',
      detail: 'has no master "other" that its Sentinels know',
    });
    expect(await redisHealth(group.url.replace(/\?.*/, ''))).toMatchObject({
      state: 'fail',
      detail: expect.stringContaining('NOAUTH') as string,
    });
  });

  it('a replica is bad', async () => {
    const url = await another(`replicaof 127.0.0.1 ${server.port}`);
    expect(await redisHealth(url)).toMatchObject({
      state: 'fail',
      detail: expect.stringContaining(`is a replica of 127.0.0.1:${server.port}`) as string,
    });
  });

  it('a cluster behind a plain address is bad, and so is a cluster without masters', async () => {
    const url = await another('cluster-enabled yes');
    expect(await redisHealth(url)).toMatchObject({
      state: 'fail',
      advice: expect.stringContaining('redis+cluster:') as string,
    });
    expect(await redisHealth(inCluster(url))).toMatchObject({ state: 'fail' });
  });

  it('one server behind the address of a cluster is bad', async () => {
    expect(await redisHealth(inCluster(server.url))).toMatchObject({
      state: 'fail',
      advice: 'Begin REDIS_URL with redis:// or rediss://.',
    });
  });

  it('a server that may drop jobs is bad', async () => {
    const url = await another('maxmemory-policy allkeys-lru');
    expect(await redisHealth(url)).toMatchObject({
      state: 'fail',
      advice: expect.stringContaining('noeviction') as string,
    });
  });

  it('a bad server is told at the start', async () => {
    const told = vi.spyOn(Logger.prototype, 'warn').mockReturnValue();
    new RedisAtStart({ REDIS_URL: await another('maxmemory-policy volatile-lru') }).onApplicationBootstrap();
    await until(() => told.mock.calls.length > 0);
    expect(told.mock.calls[0]?.[0]).toMatch(
      /^Redis \S+, maxmemory-policy volatile-lru, .* Set maxmemory-policy noeviction/,
    );
    told.mockRestore();
  });

  it('a server that is away is bad', async () => {
    const address = `127.0.0.1:${await quietPort()}`;
    for (const url of [`redis://${address}`, `redis+cluster://${address}`, `redis+sentinel://${address}/main`]) {
      expect(await redisHealth(url)).toMatchObject({
        state: 'fail',
        detail: expect.stringContaining('does not answer') as string,
      });
    }
  });
});
