import { Module } from '@nestjs/common';
import { PingsModule } from './pings.module.js';
import { StaffModule } from '#accounts/staff.module';
import { PingsController } from './pings/pings.controller.js';

/** The pings, for staff. */
@Module({
  imports: [StaffModule, PingsModule],
  controllers: [PingsController],
})
export class PingsApiModule {}
