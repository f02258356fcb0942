import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { permissionsOf, type Role, ROLES, sellersSeen } from '#accounts/permission.contract';
import { MoneyReport, OrdersReport, RefusalsReport, SellersReport, TimesReport } from '../report.contract.js';
import type { ReportSchedule } from '../report-subscription.contract.js';
import { DatabaseClock } from '#database/database-clock';
import type { Clock } from '#base/clock';
import { MAIL_LEASE_MS, MailRefused, MailTransport } from '#platform/mail-transport';
import { OrderReports } from './order-reports.js';
import { ReportLinks } from './report-links.js';
import { type MailedFigures, reportMail } from './report-mail-text.js';
import { lastSettledEnd, periodUntil, type ReportPeriod } from './report-period.js';

/** A report that this process sends. Nobody else does until the lease is over. Its end is its fence: a later lease ends later. */
type LeasedReport = Readonly<{
  lease_until: Date;
  operator_id: string;
  schedule: ReportSchedule;
  /** Whom it goes to, and what they may see, as it is now. */
  email: string;
  roles: readonly Role[];
  sellers: readonly string[] | null;
}>;

const READERS = ROLES.filter((role) => permissionsOf([role]).includes('orders:read'));

/** Sends reports to the operators who subscribed: once for each period, after its end. Of missed periods only the newest. */
@Injectable()
export class ReportMails {
  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly links: ReportLinks,
    private readonly transport: MailTransport,
    private readonly reports: OrderReports,
  ) {}

  /** Sends one report, and returns whether one was due. Throws what the mail server says; then it is tried again after two minutes. */
  async step(): Promise<boolean> {
    const now = this.clock.now();
    const due = await this.lease(now);
    if (!due) return false;
    const { schedule, email: to } = due;
    const end = lastSettledEnd(schedule, now);
    const period = periodUntil(schedule, end);
    // The same for each try, so that a receiver can drop a second copy.
    const id = `rep_${due.operator_id}_${schedule}_${period.days.at(-1)}`;
    const sellers = sellersSeen(due);
    const figures = await this.figures(period, sellers);
    const unsubscribe = this.links.unsubscribe({ operatorId: due.operator_id, schedule });
    const page = this.links.page(period);
    const mail = reportMail({ period, figures, isOfSomeSellers: sellers !== null, page, unsubscribe });
    // The figures may have taken long.
    const leased = await this.renewed(due);
    if (!leased) return true;
    try {
      await this.transport.send({ id, to, unsubscribe, ...mail });
    } catch (error) {
      // The server will never take it.
      if (error instanceof MailRefused) await this.end(leased, end);
      throw error;
    }
    await this.end(leased, end);
    return true;
  }

  private async lease(now: number): Promise<LeasedReport | undefined> {
    const { rows } = await this.pool.query<LeasedReport>(LEASE, [
      new Date(now),
      new Date(now + MAIL_LEASE_MS),
      READERS,
      new Date(lastSettledEnd('daily', now)),
      new Date(lastSettledEnd('weekly', now)),
    ]);
    return rows[0];
  }

  /** Undefined if another process has the report now. */
  private async renewed(leased: LeasedReport): Promise<LeasedReport | undefined> {
    const { operator_id: operatorId, schedule, lease_until: fence } = leased;
    const until = new Date(this.clock.now() + MAIL_LEASE_MS);
    const { rowCount } = await this.pool.query(RENEW, [operatorId, schedule, fence, until]);
    return rowCount === 1 ? { ...leased, lease_until: until } : undefined;
  }

  private async end(leased: LeasedReport, end: number): Promise<void> {
    const { operator_id: operatorId, schedule, lease_until: fence } = leased;
    await this.pool.query(END, [operatorId, schedule, fence, new Date(end)]);
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

/** $1: now, $2: the end of the lease, $3: roles that may read orders, $4 and $5: the ends of the newest day and week that are over. */
const LEASE = `
  with due as (
    select s.operator_id, s.schedule, o.email, o.roles, o.sellers
    from report_subscriptions s join operators o on o.id = s.operator_id
    where o.state = 'active' and o.roles && $3::text[]
      and s.sent_to < case s.schedule when 'daily' then $4::timestamptz else $5::timestamptz end
      and (s.lease_until is null or s.lease_until <= $1::timestamptz)
    order by s.sent_to limit 1 for update of s skip locked)
  update report_subscriptions s set lease_until = $2::timestamptz from due
  where (s.operator_id, s.schedule) = (due.operator_id, due.schedule)
  returning due.*, s.lease_until`;

const HELD = 'operator_id = $1 and schedule = $2 and lease_until = $3';
const RENEW = `update report_subscriptions set lease_until = $4 where ${HELD}`;
const END = `update report_subscriptions set sent_to = $4, lease_until = null where ${HELD} and sent_to < $4`;
