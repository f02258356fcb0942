import { Module } from '@nestjs/common';
import { OrderRulesModule } from '#orders/order-rules.module';
import { MailOutboxModule } from '#mail/mail-outbox.module';
import { OrderReports } from './reports/order-reports.js';
import { ReportLinks } from './reports/report-links.js';
import { ReportMails } from './reports/report-mails.js';
import { ReportSubscriptions } from './reports/report-subscriptions.js';

const providers = [OrderReports, ReportLinks, ReportMails, ReportSubscriptions];

/** Reports of orders, and the subscriptions that mail them. */
@Module({ imports: [OrderRulesModule, MailOutboxModule], providers, exports: providers })
export class ReportsModule {}
