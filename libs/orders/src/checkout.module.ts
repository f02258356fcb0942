import { Module } from '@nestjs/common';
import { OrdersModule } from './orders.module.js';
import { RepairModule } from '#outbound/repair.module';
import { CheckoutAccessModule } from '#accounts/checkout-access.module';
import { PurchaseReading } from './checkout/purchase-reading.js';
import { PurchaseView } from './checkout/purchase-view.js';
import { PurchasesController } from './checkout/purchases.controller.js';

/** Purchases, for the platform. */
@Module({
  imports: [CheckoutAccessModule, OrdersModule, RepairModule],
  controllers: [PurchasesController],
  providers: [PurchaseView, PurchaseReading],
})
export class CheckoutModule {}
