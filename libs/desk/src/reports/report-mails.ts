import { Inject, Injectable } from '@nestjs/common';
import { permissionsOf, type Role, ROLES, sellersSeen } from '#accounts/permission.contract';
import { MoneyReport, OrdersReport, RefusalsReport, SellersReport, TimesReport } from '../report.contract.js';
import type { ReportSchedule } from '../report-subscription.contract.js';
import { DatabaseClock } from '#database/database-clock';
import type { Clock } from '#base/clock';
import { MailOutbox } from '#mail/mail-outbox';
import { isFree, type MailChange, type WaitingMails } from '#mail/waiting-mails';
import type { OutgoingMail } from '#mail/mail-transport';
import { OrderReports } from './order-reports.js';
import { ReportLinks } from './report-links.js';
import { type MailedFigures, reportMail } from './report-mail-text.js';
import { lastSettledEnd, periodUntil, type ReportPeriod } from './report-period.js';

type DueReport = Readonly<{
  operator_id: string;
  schedule: ReportSchedule;
  /** The end of the newest period that is over. */
  ends: Date;
  /** Whom it goes to, and what they may see, as it is now. */
  email: string;
  roles: readonly Role[];
  sellers: readonly string[] | null;
}>;

const READERS = ROLES.filter((role) => permissionsOf([role]).includes('orders:read'));

/** $3: roles that may read orders, $4 and $5: the ends of the newest day and week that are over. */
const NEXT = `
  select s.operator_id, s.schedule, ends, o.email, o.roles, o.sellers
  from report_subscriptions s join operators o on o.id = s.operator_id
  cross join lateral (select case s.schedule when 'daily' then $4::timestamptz else $5::timestamptz end as ends) as newest
  where o.state = 'active' and o.roles && $3::text[] and s.sent_to < ends and ${isFree('s.lease_until')}
  order by s.sent_to limit 1 for update of s skip locked`;

/** Sends reports to the operators who subscribed: once for each period, after its end. Of missed periods only the newest. */
@Injectable()
export class ReportMails implements WaitingMails<DueReport> {
  readonly table = {
    name: 'report_subscriptions',
    key: ['operator_id', 'schedule'],
    leasedUntil: 'lease_until',
    next: NEXT,
  };

  constructor(
    private readonly outbox: MailOutbox,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly links: ReportLinks,
    private readonly reports: OrderReports,
  ) {}

  /** Sends one report, and returns whether one was due. */
  async step(): Promise<boolean> {
    const now = this.clock.now();
    const ends = (['daily', 'weekly'] as const).map((schedule) => new Date(lastSettledEnd(schedule, now)));
    return await this.outbox.send(this, [READERS, ...ends]);
  }

  async compose([due]: readonly [DueReport]): Promise<OutgoingMail> {
    const { operator_id: operatorId, schedule, ends, email: to } = due;
    const period = periodUntil(schedule, ends.getTime());
    // The same for each try, so that a receiver can drop a second copy.
    const id = `rep_${operatorId}_${schedule}_${period.days.at(-1)}`;
    const sellers = sellersSeen(due);
    const figures = await this.figures(period, sellers);
    const unsubscribe = this.links.unsubscribe({ operatorId, schedule });
    const page = this.links.page(period);
    return {
      id,
      to,
      unsubscribe,
      ...reportMail({ period, figures, isOfSomeSellers: sellers !== null, page, unsubscribe }),
    };
  }

  ended({ ends }: DueReport): MailChange {
    return { sql: 'update report_subscriptions set sent_to = $3, lease_until = null, attempts = 0', values: [ends] };
  }

  private async figures({ from, to }: ReportPeriod, sellers: readonly string[] | null): Promise<MailedFigures> {
    const asked = { from, to, sellers };
    return {
      orders: OrdersReport.parse(await this.reports.read({ ...asked, report: 'orders', by: 'day' })),
      money: MoneyReport.parse(await this.reports.read({ ...asked, report: 'money', by: 'day' })),
      refusals: RefusalsReport.parse(await this.reports.read({ ...asked, report: 'refusals', by: 'client' })),
      times: TimesReport.parse(await this.reports.read({ ...asked, report: 'times', by: 'day' })),
      sellers: SellersReport.parse(await this.reports.read({ ...asked, report: 'sellers', by: 'seller' })),
    };
  }
}
