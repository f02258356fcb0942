import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Ping } from '../ping.contract.js';
import { PingList, PingListQuery, PingsSent, PingsToSend } from '../ping.contract.js';
import { pingKey } from '../ping-id.js';
import { PingQueries } from '../ping-queries.js';
import { ApiErrors } from '#web/api-errors';
import { orNotFound } from '#web/http-error';
import { cursorPage, readCursor } from '#web/cursor-page';
import { Audit } from '#accounts/audited';
import { ForStaff, Permit } from '#accounts/permission.guard';

@ApiTags('back office: pings')
@Controller('backoffice/v1/pings')
@ForStaff(['delivery:read'])
export class PingsController {
  constructor(private readonly pings: PingQueries) {}

  @Get()
  @ApiOperation({
    operationId: 'listPings',
    summary: 'List pings with their state, newest orders first',
  })
  @ApiOkResponse({ standardSchema: PingList })
  @ApiErrors(40001, 40100)
  async list(@Query({ schema: PingListQuery }) { limit, cursor, ...filter }: PingListQuery): Promise<PingList> {
    // The id of the last ping is all that the next page needs.
    const after = readCursor(cursor, pingKey);
    const found = await this.pings.list(filter, { limit: limit + 1, after });
    const { page, next_cursor } = cursorPage(found, limit, ({ id }) => id);
    return { pings: page, next_cursor };
  }

  @Get(':id')
  @ApiOperation({ operationId: 'getPing', summary: 'Read one ping with its attempts' })
  @ApiOkResponse({ standardSchema: Ping })
  @ApiErrors(40100, 40400)
  async read(@Param('id') id: string): Promise<Ping> {
    return orNotFound(await this.pings.find(id), 'ping');
  }

  @Post('send')
  @Permit(['delivery:act'])
  @Audit('pings.sent', 'pings')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'sendPings',
    summary: 'Send the matching pings again; without a state, the parked ones',
  })
  @ApiOkResponse({ standardSchema: PingsSent })
  @ApiErrors(40000, 40001, 40100)
  async sendMany(@Body({ schema: PingsToSend }) { dry_run, filter, ...beside }: PingsToSend): Promise<PingsSent> {
    const { matched, ids } = await this.pings.resendMatching({ ...beside, ...filter }, { dryRun: dry_run });
    return { dry_run, matched, sent: dry_run ? 0 : matched, ids: [...ids] };
  }

  @Post(':id/send')
  @Permit(['delivery:act'], ['delivery:read', 'orders:act'])
  @Audit('ping.sent', 'ping')
  @HttpCode(200)
  @ApiOperation({ operationId: 'sendPing', summary: 'Send one ping again, whatever its state' })
  @ApiOkResponse({ standardSchema: Ping })
  @ApiErrors(40100, 40400)
  async sendOne(@Param('id') id: string): Promise<Ping> {
    return orNotFound(await this.pings.resend(id), 'ping');
  }
}
