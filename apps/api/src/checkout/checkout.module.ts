import { Module } from '@nestjs/common';
import { OrdersModule } from '#orders/orders.module';
import { RepairModule } from '#pings/repair/repair.module';
import { CheckoutAccessModule } from './checkout-access.module.js';
import { PurchaseReading } from './purchase-reading.js';
import { PurchaseView } from './purchase-view.js';
import { PurchasesController } from './purchases.controller.js';

/** Purchases, for the platform. */
@Module({
  imports: [CheckoutAccessModule, OrdersModule, RepairModule],
  controllers: [PurchasesController],
  providers: [PurchaseView, PurchaseReading],
})
export class CheckoutModule {}
