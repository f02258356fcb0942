import { Module } from '@nestjs/common';
import { RepairModule } from './repair.module.js';
import { StaffModule } from '#accounts/staff.module';
import { DeliveryController } from './replays/delivery.controller.js';
import { ReplaysController } from './replays/replays.controller.js';

/** What the platform has missed, and how it gets it again, for staff. */
@Module({
  imports: [StaffModule, RepairModule],
  controllers: [DeliveryController, ReplaysController],
})
export class ReplaysApiModule {}
