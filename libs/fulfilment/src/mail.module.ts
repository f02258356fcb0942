import { Module } from '@nestjs/common';
import { QueueGauge } from '#delivery-kit/queue-gauge';
import { OrdersModule } from '#orders/orders.module';
import { TicketsModule } from './tickets.module.js';
import { BuyerMailSamples } from './buyer-mail-samples.js';
import { BounceAddresses } from './mail/bounces/bounce-addresses.js';
import { MailBounces } from './mail/mail-bounces.js';
import { MailComposer } from './mail/mail-composer.js';
import { MailFactsReader } from './mail/mail-facts.js';
import { MailRequests } from './mail-requests.js';
import { MailSchedule } from './mail/mail-schedule.js';
import { MailQueue, MailSending } from './mail/mail-sending.js';
import { MailOutboxModule } from '#mail/mail-outbox.module';
import { Mails } from './mails.js';

const services = [
  BuyerMailSamples,
  BounceAddresses,
  MailBounces,
  MailComposer,
  MailFactsReader,
  MailRequests,
  MailQueue,
  MailSchedule,
  MailSending,
  Mails,
];

/** Mails to buyers. */
@Module({
  imports: [OrdersModule, TicketsModule, MailOutboxModule],
  providers: services,
  exports: services,
})
export class MailModule {
  constructor(gauge: QueueGauge, queue: MailQueue) {
    gauge.show(queue);
  }
}
