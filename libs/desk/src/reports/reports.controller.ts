import { Controller, Get, Inject, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import Negotiator from 'negotiator';
import { Report, type ReportName, ReportQuery, REPORTS } from '../report.contract.js';
import { DatabaseClock } from '#database/database-clock';
import { OrderReports, type ReportFigures } from './order-reports.js';
import type { Caller } from '#accounts/caller';
import type { Clock } from '#base/clock';
import { ApiErrors } from '#web/api-errors';
import { HttpError } from '#web/http-error';
import { ForStaff } from '#accounts/permission.guard';
import { SellerScope } from '#accounts/seller-scope';
import { StaffCaller, type StaffRequest } from '#accounts/staff-request';
import { reportCsv } from './report-csv.js';

const JSON_TYPE = 'application/json';
const CSV_TYPE = 'text/csv';
const DEFAULT_DAYS_MS = 30 * 86_400_000;

@ApiTags('back office: reports')
@Controller('backoffice/v1/reports')
@ForStaff(['orders:read'])
@SellerScope('shared')
export class ReportsController {
  constructor(
    private readonly reports: OrderReports,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  @Get(':report')
  @ApiOperation({
    operationId: 'getReport',
    summary: 'Count orders by when they were placed: orders, money, refusals, times to confirm and ship, sellers',
  })
  @ApiParam({ name: 'report', enum: [...REPORTS] })
  @ApiProduces(JSON_TYPE, CSV_TYPE)
  @ApiOkResponse({ standardSchema: Report })
  @ApiErrors(40001, 40100, 40400)
  async read(
    @Param('report') report: string,
    @Query({ schema: ReportQuery }) query: ReportQuery,
    @StaffCaller() { sellers }: Caller,
    @Req() request: StaffRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ReportFigures | string> {
    if (!isReport(report)) throw HttpError.notFound('report');
    const by = query.by ?? (report === 'sellers' ? 'seller' : 'day');
    const { columns, rows, totals } = await this.reports.read({
      report,
      by,
      sellers,
      timeZone: query.time_zone,
      ...this.periodOf(query),
    });
    void reply.header('vary', 'Accept');
    if (!wantsCsv(request)) return { rows, totals };
    void reply
      .type(`${CSV_TYPE}; charset=utf-8`)
      .header('content-disposition', `attachment; filename="${report}-by-${by}.csv"`);
    return reportCsv(columns, rows, query.bom === 'true');
  }

  /** Without an end, the period includes orders that are placed right now. */
  private periodOf({ from, to }: ReportQuery): Readonly<{ from: string; to: string }> {
    if (from !== undefined && to !== undefined && from >= to) {
      throw HttpError.with(40001, 'to: must be later than from');
    }
    const end = to === undefined ? this.clock.now() : new Date(to).getTime();
    return { from: from ?? new Date(end - DEFAULT_DAYS_MS).toISOString(), to: to ?? 'infinity' };
  }
}

function isReport(name: string): name is ReportName {
  return REPORTS.some((report) => report === name);
}

function wantsCsv({ headers }: StaffRequest): boolean {
  const { accept } = headers;
  if (accept === undefined) return false;
  return new Negotiator({ headers: { accept } }).mediaType([JSON_TYPE, CSV_TYPE]) === CSV_TYPE;
}
