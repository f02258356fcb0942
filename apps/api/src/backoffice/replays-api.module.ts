import { Module } from '@nestjs/common';
import { RepairModule } from '#pings/repair/repair.module';
import { StaffModule } from '../people/staff.module.js';
import { DeliveryController } from './delivery.controller.js';
import { ReplaysController } from './replays.controller.js';

/** What the platform has missed, and how it gets it again, for staff. */
@Module({
  imports: [StaffModule, RepairModule],
  controllers: [DeliveryController, ReplaysController],
})
export class ReplaysApiModule {}
