import { redisAvailable, startRedis } from '../../test/support/redis.js';
import type { Effort, Figure, Measurement } from '../measurement.js';

/** Gives the measurement a Redis of its own. Without a redis-server on the PATH, it is left out. */
export function onRedis(measure: (effort: Effort, redisUrl: string) => Promise<readonly Figure[]>): Measurement['run'] {
  return async (effort) => {
    if (!redisAvailable) {
      effort.say('left out: there is no redis-server on the PATH');
      return [];
    }
    const redis = await startRedis();
    try {
      return await measure(effort, redis.url);
    } finally {
      await redis.stop();
    }
  };
}
