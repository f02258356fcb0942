import { Module } from '@nestjs/common';
import { Settings } from '#base/settings';
import { DatabaseEpoch } from '#database/epoch';
import { DeliveryHealth } from './delivery-health.js';
import { DeliveryHistory } from './replays/delivery-history.js';
import { Drift } from './drift.js';
import { PlatformReads } from './platform-reads.js';
import { Replays } from './replays.js';

const providers = [DeliveryHealth, DeliveryHistory, Drift, PlatformReads, Replays];

@Module({ providers, exports: providers })
export class RepairModule {
  constructor(epoch: DatabaseEpoch, reads: PlatformReads, { READ_ONLY }: Settings) {
    if (READ_ONLY) reads.leaveOut();
    epoch.onChange(() => reads.forget());
  }
}
