import { Module } from '@nestjs/common';
import { OrderRulesModule } from '../commands/order-rules.module.js';
import { MailTransportModule } from '../mail/mail-transport.module.js';
import { OrderReports } from './order-reports.js';
import { ReportLinks } from './report-links.js';
import { ReportMails } from './report-mails.js';
import { ReportSubscriptions } from './report-subscriptions.js';

const providers = [OrderReports, ReportLinks, ReportMails, ReportSubscriptions];

/** Reports of orders, and the subscriptions that mail them. */
@Module({ imports: [OrderRulesModule, MailTransportModule], providers, exports: providers })
export class ReportsModule {}
