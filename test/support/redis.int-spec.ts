import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redisAvailable, startRedis, type TestRedis } from './redis.js';

describe.skipIf(!redisAvailable)('the Redis of a test', () => {
  let server: TestRedis;
  let client: Redis;
  beforeAll(async () => {
    server = await startRedis();
    client = new Redis(server.url, { maxRetriesPerRequest: null });
    client.on('error', () => undefined);
  });
  afterAll(async () => {
    client.disconnect();
    await server.stop();
  });

  it('evicts nothing', async () => {
    expect(await client.config('GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction']);
  });

  it('has its data after kill -9 and a restart', async () => {
    await client.set('kept', 'yes');
    const first = server.pid();
    await server.kill();
    await server.restart();
    expect(server.pid()).not.toBe(first);
    expect(await client.get('kept')).toBe('yes');
  });
});
