import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { ReportSchedule, ReportSubscription } from '../report-subscription.contract.js';
import { DatabaseClock } from '#database/database-clock';
import type { Clock } from '#base/clock';
import { lastEnd, nextSending } from './report-period.js';

/** Which operators get reports by e-mail. A subscription stays while its operator is disabled. */
@Injectable()
export class ReportSubscriptions {
  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /** Daily first. */
  async of(operatorId: string): Promise<ReportSubscription[]> {
    const { rows } = await this.pool.query<{ schedule: ReportSchedule; sent_to: Date }>(
      'select schedule, sent_to from report_subscriptions where operator_id = $1 order by schedule',
      [operatorId],
    );
    return rows.map(({ schedule, sent_to: sentTo }) => ({
      schedule,
      next_at: new Date(nextSending(schedule, sentTo.getTime())).toISOString(),
    }));
  }

  /** The first report is that of the period which is on now. Returns false if the operator has the subscription already. */
  async add(operatorId: string, schedule: ReportSchedule): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      'insert into report_subscriptions (operator_id, schedule, sent_to) values ($1, $2, $3) on conflict do nothing',
      [operatorId, schedule, new Date(lastEnd(schedule, this.clock.now()))],
    );
    return rowCount === 1;
  }

  /** Returns false if there is none. */
  async remove(operatorId: string, schedule: ReportSchedule): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      'delete from report_subscriptions where operator_id = $1 and schedule = $2',
      [operatorId, schedule],
    );
    return rowCount === 1;
  }
}
