import { Controller, Get, Headers, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { LiveOrdersQuery } from '#contracts/backoffice/live-orders';
import { ApiErrors } from '../http/api-errors.js';
import { LiveCallers } from '../people/live-callers.js';
import { ForStaff } from '../people/permission.guard.js';
import { SellerScope } from '../people/seller-scope.js';
import { callerOf, type StaffRequest } from '../people/staff-request.js';
import { openEventStream } from '../stream/event-stream.js';
import { ReaderShares } from '../stream/reader-shares.js';
import { LiveOrders } from './live-orders.js';

const READ = 'orders:read';

@ApiTags('back office: orders')
@Controller('backoffice/v1/orders/changes/live')
@ForStaff([READ])
@SellerScope('shared')
export class LiveOrdersController {
  constructor(
    private readonly live: LiveOrders,
    private readonly callers: LiveCallers,
    private readonly shares: ReaderShares,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'followOrderChanges',
    summary: 'Follow the changes of orders live, as server-sent events; brokers get only their own',
  })
  @ApiHeader({ name: 'Last-Event-ID', required: false, description: 'continue after this event' })
  @ApiOkResponse({
    description:
      'Events without a type have `LiveOrderChanges` as data: each changed order with its present version and status. The first event, `position`, only has an id to continue from. `reset`: too much has changed since the last event; read again what you show. `heartbeat`: every 15 s.',
    content: { 'text/event-stream': { schema: { type: 'string' } } },
  })
  @ApiErrors(40001, 40100, 50300)
  async follow(
    @Query({ schema: LiveOrdersQuery }) { after }: LiveOrdersQuery,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Req() request: StaffRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    this.live.refuseWhenFull();
    const caller = callerOf(request);
    const owner = await this.callers.ownerOf(caller, READ);
    this.shares.take(owner, reply.raw, 'orders');
    const sink = openEventStream(request, reply);
    if (!sink) return;
    // Browsers send an empty header before the first event.
    void this.live.serve({ sink, sellers: caller.sellers, lastEventId: lastEventId || after, owner });
  }
}
