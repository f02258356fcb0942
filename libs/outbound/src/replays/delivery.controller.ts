import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  DeliveryHealthReport,
  DeliveryHistoryQuery,
  DeliveryHistoryReport,
  DriftQuery,
  DriftReport,
  DriftToSend,
} from '../delivery.contract.js';
import { PingsSent } from '../ping.contract.js';
import { DeliveryHealth } from '../delivery-health.js';
import { DeliveryHistory, MOST_HISTORY_DAYS } from './delivery-history.js';
import { Drift } from '../drift.js';
import { ApiErrors } from '#web/api-errors';
import { HttpError } from '#web/http-error';
import { cursorPage, readCursor } from '#web/cursor-page';
import { Audit } from '#accounts/audited';
import { ForStaff, Permit } from '#accounts/permission.guard';

@ApiTags('back office: delivery')
@Controller('backoffice/v1/delivery')
@ForStaff(['delivery:read'])
export class DeliveryController {
  constructor(
    private readonly health: DeliveryHealth,
    private readonly history: DeliveryHistory,
    private readonly drift: Drift,
  ) {}

  @Get('health')
  @ApiOperation({
    operationId: 'getDeliveryHealth',
    summary: 'Delivery health of the platform and each webhook: what waits, and the attempts of the last hour',
  })
  @ApiOkResponse({ standardSchema: DeliveryHealthReport })
  @ApiErrors(40100)
  async readHealth(): Promise<DeliveryHealthReport> {
    return { endpoints: [...(await this.health.read())] };
  }

  @Get('history')
  @ApiOperation({
    operationId: 'getDeliveryHistory',
    summary: 'Attempts, successes, answer times and backlog of the platform and each webhook over time',
  })
  @ApiOkResponse({ standardSchema: DeliveryHistoryReport })
  @ApiErrors(40001, 40100)
  async readHistory(
    @Query({ schema: DeliveryHistoryQuery }) query: DeliveryHistoryQuery,
  ): Promise<DeliveryHistoryReport> {
    const found = await this.history.read(query);
    if (found) return found;
    throw HttpError.with(
      40001,
      `from, to: choose a period of at most ${MOST_HISTORY_DAYS} days that ends after it begins`,
    );
  }

  @Get('drift')
  @ApiOperation({
    operationId: 'getDeliveryDrift',
    summary: 'Orders whose latest status the platform has neither acknowledged nor read, oldest first',
  })
  @ApiOkResponse({ standardSchema: DriftReport })
  @ApiErrors(40001, 40100)
  async readDrift(@Query({ schema: DriftQuery }) { limit, cursor, ...filter }: DriftQuery): Promise<DriftReport> {
    const after = readCursor(cursor, (text) => (/^ord_[0-9a-f]{32}$/.test(text) ? text : undefined));
    const found = await this.drift.list(filter, { limit: limit + 1, after });
    const { page, next_cursor } = cursorPage(found, limit, ({ order_id }) => order_id);
    return { orders: page, next_cursor };
  }

  @Post('drift/send')
  @Permit(['delivery:act'])
  @Audit('pings.sent', 'pings')
  @HttpCode(200)
  @ApiOperation({ operationId: 'sendDrift', summary: 'Send the unacknowledged pings of all drifting orders again' })
  @ApiOkResponse({ standardSchema: PingsSent })
  @ApiErrors(40000, 40001, 40100)
  async send(@Body({ schema: DriftToSend }) { dry_run, ...filter }: DriftToSend): Promise<PingsSent> {
    const { matched, ids } = await this.drift.resendMatching(filter, { dryRun: dry_run });
    return { dry_run, matched, sent: dry_run ? 0 : matched, ids: [...ids] };
  }
}
