import { Module } from '@nestjs/common';
import { StaffModule } from '../people/staff.module.js';
import { EventSales } from './event-sales.js';
import { BackofficeEventsController } from './events.controller.js';

/** Events with their sales, for staff. */
@Module({
  imports: [StaffModule],
  controllers: [BackofficeEventsController],
  providers: [EventSales],
})
export class EventsApiModule {}
