import { Module } from '@nestjs/common';
import { StaffModule } from '#accounts/staff.module';
import { MailModule } from '#fulfilment/mail.module';
import { OrdersModule } from '#orders/orders.module';
import { PingsModule } from '#outbound/pings.module';
import { RepairModule } from '#outbound/repair.module';
import { FeedModule } from '#event-store/feed.module';
import { TicketsModule } from '#fulfilment/tickets.module';
import { DisputeAnswers } from './disputes/dispute-answers.js';
import { DisputeDesk } from './disputes/dispute-desk.js';
import { DisputedBuyers } from './disputes/disputed-buyers.js';
import { DisputePackController } from './disputes/dispute-pack.controller.js';
import { DisputePacks } from './disputes/dispute-packs.js';
import { Disputes } from './disputes/disputes.js';
import { DisputesController } from './disputes/disputes.controller.js';
import { EarlierOrders } from './disputes/earlier-orders.js';
import { KeptPacks } from './disputes/kept-packs.js';
import { OrderDisputesController } from './disputes/order-disputes.controller.js';
import { OrderEvidence } from './disputes/order-evidence.js';
import { OrderHappenings } from './disputes/order-happenings.js';
import { OrderProofs } from './disputes/order-proofs.js';
import { PackFactsReader } from './disputes/pack-facts.js';

/** Disputes of buyers, for staff. */
@Module({
  imports: [StaffModule, OrdersModule, MailModule, PingsModule, RepairModule, TicketsModule, FeedModule],
  controllers: [DisputesController, DisputePackController, OrderDisputesController],
  providers: [
    Disputes,
    DisputeAnswers,
    DisputeDesk,
    DisputePacks,
    DisputedBuyers,
    EarlierOrders,
    KeptPacks,
    OrderEvidence,
    OrderHappenings,
    OrderProofs,
    PackFactsReader,
  ],
})
export class DisputesApiModule {}
