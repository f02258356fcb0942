import { Module } from '@nestjs/common';
import { StaffModule } from '#accounts/staff.module';
import { CatalogueModule } from '#discovery/catalogue.module';
import { OrdersModule } from '#orders/orders.module';
import { FirstSteps } from './first-steps/first-steps.js';
import { FirstStepsController } from './first-steps/first-steps.controller.js';
import { SampleRemoval } from './sample/sample-removal.js';
import { SampleController } from './sample/sample.controller.js';

/** What an administrator begins with: the first steps, and the sample data. */
@Module({
  imports: [StaffModule, OrdersModule, CatalogueModule],
  providers: [FirstSteps, SampleRemoval],
  controllers: [FirstStepsController, SampleController],
})
export class FirstRunApiModule {}
