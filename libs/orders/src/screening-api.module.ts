import { Module } from '@nestjs/common';
import { ScreeningModule } from './screening/screening.module.js';
import { StaffModule } from '#accounts/staff.module';
import { OrdersApiModule } from './orders-api.module.js';
import { FraudRulesController } from './screening/fraud-rules.controller.js';
import { PoliciesController } from './screening/policies.controller.js';
import { SampledOrders } from './screening/sampled-orders.js';

/** Policies and fraud rules, for staff. */
@Module({
  imports: [StaffModule, OrdersApiModule, ScreeningModule],
  controllers: [PoliciesController, FraudRulesController],
  providers: [SampledOrders],
})
export class ScreeningApiModule {}
