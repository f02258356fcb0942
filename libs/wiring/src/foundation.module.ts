import { type DynamicModule, Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';
import { Clock, SystemClock } from '#ambient/clock';
import { Ids, TimeOrderedIds } from '#ambient/ids';
import { Randomness, SystemRandomness } from '#ambient/randomness';
import { Settings } from '#config/settings';
import { createPool } from '#database/pool';
import { faultFields, Logger } from '#operations/logger';
import { Metrics } from '#operations/metrics';
import { ClientRegistry } from '#platform-auth/clients';
import { Sealer } from '#platform-auth/sealing';

/** For look-ups and writes by key that are merely done again after a crash: commits do not wait for the disk. */
export abstract class LazyCommitPool extends Pool {}

/** What every process stands on: settings, time, chance, connections, log and metrics. */
@Global()
@Module({})
export class FoundationModule implements OnApplicationShutdown {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(LazyCommitPool) private readonly lazyPool: Pool,
  ) {}

  static for(settings: Settings, logger: Logger, process: 'api' | 'worker'): DynamicModule {
    const pool = (lazyCommit: boolean) => () =>
      createPool({
        databaseUrl: settings.DATABASE_URL ?? '',
        max: settings.DATABASE_POOL_SIZE,
        applicationName: `willcall ${process}`,
        lazyCommit,
        byIndex: lazyCommit,
        onError: (error) => logger.warn(faultFields(error), 'a database connection broke'),
      });
    const providers = [
      { provide: Settings, useValue: settings },
      { provide: Logger, useValue: logger },
      { provide: Clock, useClass: SystemClock },
      { provide: Ids, useClass: TimeOrderedIds },
      { provide: Randomness, useClass: SystemRandomness },
      { provide: Pool, useFactory: pool(false) },
      { provide: LazyCommitPool, useFactory: pool(true) },
      { provide: Sealer, inject: [Randomness], useFactory: sealer(settings) },
      Metrics,
      ClientRegistry,
    ];
    return { module: FoundationModule, providers, exports: providers };
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.pool.end(), this.lazyPool.end()]);
  }
}

function sealer({ ENCRYPTION_KEY }: Settings): (randomness: Randomness) => Sealer {
  return (randomness) => {
    if (!ENCRYPTION_KEY) throw new Error('ENCRYPTION_KEY is needed to read secrets and personal data.');
    return new Sealer(ENCRYPTION_KEY, randomness);
  };
}
