import { Module } from '@nestjs/common';
import { StaffModule } from '#accounts/staff.module';
import { ShowSales } from './shows/show-sales.js';
import { ShowsController } from './shows/shows.controller.js';

/** Shows with their sales, for staff. */
@Module({
  imports: [StaffModule],
  controllers: [ShowsController],
  providers: [ShowSales],
})
export class ShowsApiModule {}
