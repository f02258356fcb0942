import { Module } from '@nestjs/common';
import { StaffModule } from '#accounts/staff.module';
import { MailModule } from '#fulfilment/mail.module';
import { OrdersModule } from '#orders/orders.module';
import { PingsModule } from '#outbound/pings.module';
import { RepairModule } from '#outbound/repair.module';
import { DisputeAnswers } from './disputes/dispute-answers.js';
import { DisputeDesk } from './disputes/dispute-desk.js';
import { DisputedBuyers } from './disputes/disputed-buyers.js';
import { Disputes } from './disputes/disputes.js';
import { DisputesController } from './disputes/disputes.controller.js';
import { OrderDisputesController } from './disputes/order-disputes.controller.js';
import { OrderEvidence } from './disputes/order-evidence.js';

/** Disputes of buyers, for staff. */
@Module({
  imports: [StaffModule, OrdersModule, MailModule, PingsModule, RepairModule],
  controllers: [DisputesController, OrderDisputesController],
  providers: [Disputes, DisputeAnswers, DisputeDesk, DisputedBuyers, OrderEvidence],
})
export class DisputesApiModule {}
