import { redisAvailable, startRedis } from '../../test/support/redis.js';
import type { RunOptions, Figure, Measurement } from '../measurement.js';

/** Gives the measurement a Redis of its own. Without a redis-server on the PATH, it is left out. */
export function onRedis(
  measure: (options: RunOptions, redisUrl: string) => Promise<readonly Figure[]>,
): Measurement['run'] {
  return async (options) => {
    if (!redisAvailable) {
      options.say('left out: there is no redis-server on the PATH');
      return [];
    }
    const redis = await startRedis();
    try {
      return await measure(options, redis.url);
    } finally {
      await redis.stop();
    }
  };
}
