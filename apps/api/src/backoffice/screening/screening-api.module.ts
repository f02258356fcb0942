import { Module } from '@nestjs/common';
import { ScreeningModule } from '#orders/screening/screening.module';
import { StaffModule } from '../../people/staff.module.js';
import { OrdersApiModule } from '../orders-api.module.js';
import { FraudRulesController } from './fraud-rules.controller.js';
import { PoliciesController } from './policies.controller.js';
import { SampledOrders } from './sampled-orders.js';

/** Policies and fraud rules, for staff. */
@Module({
  imports: [StaffModule, OrdersApiModule, ScreeningModule],
  controllers: [PoliciesController, FraudRulesController],
  providers: [SampledOrders],
})
export class ScreeningApiModule {}
