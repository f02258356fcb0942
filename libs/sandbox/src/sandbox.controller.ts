import { Controller, Get, Header, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { PingAnswer, ReceivedPingList, ReceivedPingQuery } from './received-ping.contract.js';
import { ReceivedPings } from './received-pings.js';
import { ApiErrors } from '#web/api-errors';
import { PingReceipt } from './ping-receipt.js';
import { CONTENT_SECURITY_POLICY, sandboxPage } from './sandbox-page.js';

@ApiTags('sandbox platform')
@Controller('sandbox')
export class SandboxController {
  constructor(
    private readonly receipt: PingReceipt,
    private readonly pings: ReceivedPings,
  ) {}

  @Post('markets/purchases/:order_id/update')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'receivePing',
    summary: 'Receive a purchase ping as the platform, and read the purchase back',
  })
  @ApiSecurity('platform')
  @ApiQuery({ name: 'ref_id', required: false })
  @ApiOkResponse({ standardSchema: PingAnswer })
  @ApiErrors(40001, 40100, 50300)
  async receive(
    @Param('order_id') orderId: string,
    @Query() { ref_id }: Record<string, unknown>,
    @Req() request: FastifyRequest,
  ): Promise<PingAnswer> {
    return { order_id: await this.receipt.take(request, { order_id: orderId, ref_id }) };
  }

  @Get('pings')
  @ApiOperation({
    operationId: 'listReceivedPings',
    summary: 'The pings that the sandbox platform received, newest first',
  })
  @ApiOkResponse({ standardSchema: ReceivedPingList })
  @ApiErrors(40001)
  async list(@Query({ schema: ReceivedPingQuery }) { limit, cursor }: ReceivedPingQuery): Promise<ReceivedPingList> {
    // Reads one more row: it shows whether there is a next page.
    const found = await this.pings.list({ limit: limit + 1, before: cursor });
    const page = found.slice(0, limit);
    return { pings: page, next_cursor: found.length > limit ? String(page.at(-1)?.id) : null };
  }

  @Get()
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', CONTENT_SECURITY_POLICY)
  @Header('referrer-policy', 'no-referrer')
  @ApiOperation({ operationId: 'showReceivedPings', summary: 'The received pings as an HTML page' })
  @ApiOkResponse({ content: { 'text/html': { schema: { type: 'string' } } } })
  @ApiErrors(40001)
  async page(@Query({ schema: ReceivedPingQuery }) query: ReceivedPingQuery): Promise<string> {
    const [page, counts] = await Promise.all([this.list(query), this.pings.counts()]);
    return sandboxPage({ ...page, counts, isNewest: query.cursor === undefined });
  }
}
