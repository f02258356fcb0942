import { Module } from '@nestjs/common';
import { QueueGauge } from '#delivery/queues/queue-gauge';
import { StorageModule } from '#storage/storage.module';
import { OrdersModule } from './orders.module.js';
import { TicketsModule } from './tickets.module.js';
import { BounceAddresses } from './mail/bounces/bounce-addresses.js';
import { MailBounces } from './mail/mail-bounces.js';
import { MailComposer } from './mail/mail-composer.js';
import { MailFactsReader } from './mail/mail-facts.js';
import { MailSchedule } from './mail/mail-schedule.js';
import { MailQueue, MailSending } from './mail/mail-sending.js';
import { MailTransport } from './mail/mail-transport.js';
import { Mails } from './mail/mails.js';
import { EscalationNotices } from './queues/escalation-notices.js';
import { ReportLinks } from './reports/report-links.js';
import { ReportMails } from './reports/report-mails.js';
import { ReportSubscriptions } from './reports/report-subscriptions.js';

const services = [
  BounceAddresses,
  EscalationNotices,
  MailBounces,
  MailComposer,
  MailFactsReader,
  MailQueue,
  MailSchedule,
  MailSending,
  MailTransport,
  Mails,
  ReportLinks,
  ReportMails,
  ReportSubscriptions,
];

@Module({ imports: [OrdersModule, TicketsModule, StorageModule], providers: services, exports: services })
export class MailModule {
  constructor(gauge: QueueGauge, queue: MailQueue) {
    gauge.show(queue);
  }
}
