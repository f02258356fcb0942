import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Settings } from '#base/settings';
import { redisHealth } from './redis-health.js';

/** Says at the start what is wrong with Redis. Nothing waits for it, because purchases go on without Redis. */
@Injectable()
export class RedisAtStart implements OnApplicationBootstrap {
  private readonly logger = new Logger('redis');

  constructor(@Inject(Settings) private readonly settings: Pick<Settings, 'REDIS_URL'>) {}

  onApplicationBootstrap(): void {
    if (this.settings.REDIS_URL !== undefined) void this.report(this.settings.REDIS_URL);
  }

  private async report(url: string): Promise<void> {
    const { state, detail, advice } = await redisHealth(url);
    if (state !== 'ok') this.logger.warn(`${detail.startsWith('Redis') ? '' : 'Redis '}${detail}. ${advice}`);
  }
}
