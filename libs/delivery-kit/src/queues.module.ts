import { Global, Module } from '@nestjs/common';
import { Settings } from '#base/settings';
import { QueueBackend, queueBackend } from './queue-backend.js';
import { QueueGauge } from './queue-gauge.js';
import { RedisAtStart } from './redis-at-start.js';

const providers = [
  {
    provide: QueueBackend,
    inject: [Settings],
    useFactory: ({ REDIS_URL, DATABASE_URL = '' }: Settings) =>
      queueBackend({ redisUrl: REDIS_URL, databaseUrl: DATABASE_URL }),
  },
  QueueGauge,
];

@Global()
@Module({ providers: [...providers, RedisAtStart], exports: providers })
export class QueuesModule {}
