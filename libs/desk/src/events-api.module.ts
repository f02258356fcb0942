import { Module } from '@nestjs/common';
import { StaffModule } from '#accounts/staff.module';
import { EventSales } from './events/event-sales.js';
import { BackofficeEventsController } from './events/events.controller.js';

/** Events with their sales, for staff. */
@Module({
  imports: [StaffModule],
  controllers: [BackofficeEventsController],
  providers: [EventSales],
})
export class EventsApiModule {}
