import { Module } from '@nestjs/common';
import { Pool } from 'pg';
import { Ids } from '#runtime/ids';
import { Settings } from '#config/settings';
import { DatabaseClock } from '#database/database-clock';
import { DeliveryHealth } from '#pings/repair/delivery-health';
import { Drift } from '#pings/repair/drift';
import { Replays } from '#pings/repair/replays';

const providers = [
  {
    provide: DeliveryHealth,
    inject: [Pool, DatabaseClock, Settings],
    useFactory: (pool: Pool, clock: DatabaseClock, { PLATFORM_URL = 'sandbox' }: Settings) =>
      new DeliveryHealth(pool, clock, PLATFORM_URL),
  },
  {
    provide: Drift,
    inject: [Pool, DatabaseClock],
    useFactory: (pool: Pool, clock: DatabaseClock) => new Drift(pool, clock),
  },
  {
    provide: Replays,
    inject: [Pool, DatabaseClock, Ids],
    useFactory: (pool: Pool, clock: DatabaseClock, ids: Ids) => new Replays(pool, clock, ids),
  },
];

/** What staff see of delivery, and how they repair it. */
@Module({ providers, exports: providers })
export class RepairModule {}
