import { Inject, Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import type { Pool } from 'pg';
import { ReplicaPool } from '#database/replica-pool';
import { OrderRules } from '#orders/order-changes';
import type { ReportCodes, ReportQuestion } from './report-question.js';
import { reportStatement } from './report-statements.js';
import { zoneOffsets } from './zone-offsets.js';

type Values = Readonly<Record<string, string | number | null>>;

/** Amounts are US dollars, times are seconds. Without orders, counts and amounts are 0 and the rest is null. */
export type ReportFigures = Readonly<{ rows: readonly Values[]; totals: Values }>;

// A report over years may take seconds; purchases need the connections more.
const AT_ONCE = 2;

/**
 * Counts orders by the time they were placed and the state they are in now. It reads the read models, so a report is never behind. Counters
 * would have to move an order at each change of its status, and a purchase would pay for them.
 */
@Injectable()
export class OrderReports {
  private readonly limit = pLimit(AT_ONCE);

  constructor(
    @Inject(ReplicaPool) private readonly pool: Pick<Pool, 'query'>,
    private readonly rules: OrderRules,
  ) {}

  async read({
    report,
    by,
    from,
    to,
    sellers,
    timeZone = 'UTC',
  }: ReportQuestion): Promise<ReportFigures & Readonly<{ columns: readonly string[] }>> {
    const statement = reportStatement(report, by, this.codes());
    const { since, seconds } = zoneOffsets(timeZone, { from, to });
    const values = [from, to, sellers, since, seconds];
    const { rows: found, fields } = await this.limit(() => this.pool.query<FoundRow>(statement, values));
    const rows: Values[] = [];
    let totals: Values = {};
    for (const { is_total, ...row } of found) {
      if (is_total) totals = withoutKeys(row);
      else rows.push(row);
    }
    const columns = fields.map(({ name }) => name).filter((name) => name !== 'is_total');
    return { columns, rows, totals };
  }

  private codes(): ReportCodes {
    const { catalogue } = this.rules;
    const sent = catalogue.entries
      .filter(({ event }) => event === 'TicketsShipped' || event === 'TicketsDelivered')
      .map(({ status: { status_code: code } }) => code);
    const notAnswered = catalogue.role('broker_did_not_respond').status.status_code;
    const known = (codes: readonly number[]) => codes.filter((code) => catalogue.entry(code) !== undefined);
    const misshipped = known(MISSHIPPED);
    return { sent, notAnswered, misshipped, faults: [...known(NOT_DELIVERABLE), ...misshipped, notAnswered] };
  }
}

// Codes of the built-in status catalogue: customer denied entry, ticket shipping failed.
const MISSHIPPED = [4001, 4004];
// Listing no longer available, broker denies, replacement tickets offered.
const NOT_DELIVERABLE = [3003, 3004, 4005];

type FoundRow = Values & Readonly<{ is_total: boolean }>;

const KEYS = ['day', 'event_id', 'seller', 'client_id', 'name', 'reason', 'status_code', 'status_message'];

function withoutKeys(row: Values): Values {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !KEYS.includes(column)));
}
