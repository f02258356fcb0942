import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redisAvailable } from '../support/redis.js';
import { type RedisGroup, startRedisCluster, startSentinelGroup } from '../support/redis-groups.js';
import { Load } from '../support/stand/load.js';
import { violationsAfter } from '../support/stand/settled.js';
import { Stand } from '../support/stand/stand.js';
import { until } from '../support/until.js';

const groups = [
  { name: 'the master that Sentinels watch', start: startSentinelGroup },
  { name: 'a node of a cluster', start: startRedisCluster },
];

describe.skipIf(!redisAvailable).each(groups)('the loss of $name', ({ name, start }) => {
  let group: RedisGroup;
  let stand: Stand;
  beforeAll(async () => {
    group = await start();
    stand = await Stand.start({ database: 'shared', apis: 1, settings: { REDIS_URL: group.url } });
  });
  afterAll(async () => {
    await stand.close();
    await group.stop();
  });

  it('stops no purchase, loses no ping, and stops pings for less than 5 s from the new master on', async () => {
    const load = await Load.start({ apis: stand.apiUrls });
    await load.waitForPurchases(50);
    await group.failOver();
    const from = performance.now();
    const before = stand.platform.arrivals.length;
    await load.atFullSpeed(() => until(() => stand.platform.arrivals.length > before));
    const withoutMs = performance.now() - from;
    expect(withoutMs).toBeLessThan(5_000);
    expect(load.cut).toEqual([]);
    await load.waitForPurchases(50);
    await load.stop();
    expect(await violationsAfter(load, stand)).toEqual([]);
    console.log(
      `${name}: a ping ${(withoutMs / 1_000).toFixed(1)} s after the new master, ${load.acknowledged} purchases, 0 lost`,
    );
  });
});
