import { Module } from '@nestjs/common';
import { Pool } from 'pg';
import { Clock } from '#ambient/clock';
import { Ids } from '#ambient/ids';
import { Settings } from '#config/settings';
import { DeliveryHealth } from '#delivery-repair/delivery-health';
import { Drift } from '#delivery-repair/drift';
import { Replays } from '#delivery-repair/replays';

const providers = [
  {
    provide: DeliveryHealth,
    inject: [Pool, Clock, Settings],
    useFactory: (pool: Pool, clock: Clock, { PLATFORM_URL = 'sandbox' }: Settings) =>
      new DeliveryHealth(pool, clock, PLATFORM_URL),
  },
  { provide: Drift, inject: [Pool, Clock], useFactory: (pool: Pool, clock: Clock) => new Drift(pool, clock) },
  {
    provide: Replays,
    inject: [Pool, Clock, Ids],
    useFactory: (pool: Pool, clock: Clock, ids: Ids) => new Replays(pool, clock, ids),
  },
];

/** What staff see of delivery, and how they repair it. */
@Module({ providers, exports: providers })
export class RepairModule {}
