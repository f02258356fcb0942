import { Module } from '@nestjs/common';
import { PingsModule } from '#pings/pings.module';
import { StaffModule } from '../people/staff.module.js';
import { PingsController } from './pings.controller.js';

/** The pings, for staff. */
@Module({
  imports: [StaffModule, PingsModule],
  controllers: [PingsController],
})
export class PingsApiModule {}
