import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Global,
  Inject,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { Pool } from 'pg';
import { Settings } from '#base/settings';
import { Sealer } from '#base/sealing';
import { Connections } from '#database/connections';
import { DatabaseClock } from '#database/database-clock';
import { DatabaseProbe } from '#database/database-probe';
import { DatabaseEpoch } from '#database/epoch';
import { LeastPrivilege } from '#database/least-privilege';
import { LazyCommitPool } from '#database/lazy-commit-pool';
import { canConnect } from '#database/connection-check';
import { connectionConfig, createPool } from '#database/pool';
import { ReplicaPool } from '#database/replica-pool';
import { FollowedEpoch } from './followed-epoch.js';
import { EncryptionKeyCheck } from './encryption-key-check.js';
import { Clock, SystemClock } from '#base/clock';
import { Ids, TimeOrderedIds } from '#base/ids';
import { Randomness, SystemRandomness } from '#base/randomness';
import { Repeater } from '#base/repeater';
import { withTimeout } from '#base/with-timeout';
import { DatabaseMetrics } from './database-metrics.js';
import { LivenessProbes } from './liveness-probes.js';
import { Liveness } from './liveness.js';
import { errorFields, Logger } from './logger.js';
import { Metrics } from './metrics.js';
import { flushTraces } from './trace-export.js';

const READ_TIME_EVERY_MS = 1_000;
const FIRST_TIME_WITHIN_MS = 2_000;
// New connections are checked too. This is for a process that needs none, whose login is given more rights.
const CHECK_RIGHTS_EVERY_MS = 5_000;

const NEW_CONNECTION_WITHIN_MS = 3_000;

// The next requests at the same time would wait for new ones: one has to be made and checked, and PostgreSQL reads what it knows about tables and
// indexes again for each, which takes ten times as long as a search. Firewalls drop connections that are silent for some five minutes.
const KEEP_IDLE_MS = 180_000;

@Global()
@Module({})
export class FoundationModule implements OnModuleInit, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly repeaters: readonly Repeater[];

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(LazyCommitPool) private readonly lazyPool: Pool,
    private readonly probe: DatabaseProbe,
    private readonly databaseClock: DatabaseClock,
    leastPrivilege: LeastPrivilege,
  ) {
    // Whoever needs the database's time reports the error, and so does whoever listens for a login with too many rights.
    const ignore = () => undefined;
    this.repeaters = [
      new Repeater(async () => void (await databaseClock.read()), { everyMs: READ_TIME_EVERY_MS }, ignore),
      new Repeater(() => leastPrivilege.check(pool), { everyMs: CHECK_RIGHTS_EVERY_MS }, ignore),
    ];
  }

  static for(settings: Settings, logger: Logger, process: 'api' | 'worker'): DynamicModule {
    const pool = (lazyCommit: boolean) => (epoch: DatabaseEpoch, leastPrivilege: LeastPrivilege) =>
      createPool({
        databaseUrl: settings.DATABASE_URL ?? '',
        max: settings.DATABASE_POOL_SIZE,
        keepIdleMs: KEEP_IDLE_MS,
        applicationName: `willcall ${process}`,
        lazyCommit,
        byIndex: lazyCommit,
        epoch,
        leastPrivilege,
        lockTimeoutMs: process === 'api' ? settings.LOCK_TIMEOUT_MS : undefined,
        onError: (error) => logger.warn(errorFields(error), 'a database connection broke'),
      });
    const providers = [
      { provide: Settings, useValue: settings },
      { provide: Logger, useValue: logger },
      { provide: Clock, useClass: SystemClock },
      { provide: Randomness, useClass: SystemRandomness },
      { provide: Ids, useValue: new TimeOrderedIds(new SystemRandomness(), settings.CELL) },
      {
        provide: DatabaseProbe,
        useValue: new DatabaseProbe(
          connectionConfig({
            databaseUrl: settings.DATABASE_URL ?? '',
            applicationName: `willcall ${process} health`,
          }),
        ),
      },
      DatabaseClock,
      DatabaseEpoch,
      FollowedEpoch,
      LeastPrivilege,
      { provide: Pool, inject: [DatabaseEpoch, LeastPrivilege], useFactory: pool(false) },
      { provide: LazyCommitPool, inject: [DatabaseEpoch, LeastPrivilege], useFactory: pool(true) },
      {
        provide: ReplicaPool,
        inject: [Pool, LeastPrivilege],
        useFactory: (primary: Pool, leastPrivilege: LeastPrivilege) =>
          new ReplicaPool(primary, replicaPool(settings, process, leastPrivilege)),
      },
      { provide: Sealer, inject: [Randomness], useFactory: sealer(settings) },
      { provide: Liveness, inject: [Clock], useFactory: liveness(settings) },
      LivenessProbes,
      EncryptionKeyCheck,
      DatabaseMetrics,
      Connections,
      Metrics,
    ];
    return { module: FoundationModule, providers, exports: providers };
  }

  async onModuleInit(): Promise<void> {
    const first = this.databaseClock.read();
    await withTimeout(first, FIRST_TIME_WITHIN_MS, 'the time of the database').catch(() => undefined);
    for (const repeater of this.repeaters) repeater.start();
  }

  beforeApplicationShutdown(): void {
    for (const repeater of this.repeaters) void repeater.stop();
  }

  async onApplicationShutdown(): Promise<void> {
    this.probe.end();
    await Promise.all([this.pool.end(), this.lazyPool.end(), flushTraces()]);
  }
}

/** Without the epoch, which a standby cannot tell by itself. */
function replicaPool(
  { DATABASE_REPLICA_URL: databaseUrl, DATABASE_POOL_SIZE: max, READ_ONLY }: Settings,
  process: 'api' | 'worker',
  leastPrivilege: LeastPrivilege,
): Pool | undefined {
  if (databaseUrl === undefined || READ_ONLY) return undefined;
  const onError = () => undefined;
  const applicationName = `willcall ${process} replica`;
  return createPool({ databaseUrl, max, applicationName, leastPrivilege, keepIdleMs: KEEP_IDLE_MS, onError });
}

function sealer({ ENCRYPTION_KEY, ENCRYPTION_KEY_PREVIOUS }: Settings): (randomness: Randomness) => Sealer {
  return (randomness) => {
    if (!ENCRYPTION_KEY) throw new Error('ENCRYPTION_KEY is needed to read secrets and personal data.');
    return new Sealer(ENCRYPTION_KEY, randomness, ENCRYPTION_KEY_PREVIOUS);
  };
}

function liveness({ DATABASE_URL = '' }: Settings): (clock: Clock) => Liveness {
  const config = connectionConfig({ databaseUrl: DATABASE_URL, applicationName: 'willcall probe' });
  return (clock) => new Liveness(clock, () => canConnect(config, NEW_CONNECTION_WITHIN_MS));
}
