import { Controller, Get, Headers, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { LiveOrdersQuery } from '../live-orders.contract.js';
import { ApiErrors } from '#web/api-errors';
import { LiveCallers } from '#accounts/live-callers';
import { ForStaff } from '#accounts/permission.guard';
import { SellerScope } from '#accounts/seller-scope';
import { callerOf, type StaffRequest } from '#accounts/staff-request';
import { openEventStream } from '#web/event-stream';
import { ReaderShares } from '#outbound/reader-shares';
import { LiveOrders } from './live-orders.js';
import { LivePeople } from './live-people.js';

const READ = 'orders:read';

@ApiTags('back office: orders')
@Controller('backoffice/v1/orders/changes/live')
@ForStaff([READ])
@SellerScope('shared')
export class LiveOrdersController {
  constructor(
    private readonly live: LiveOrders,
    private readonly people: LivePeople,
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
      'Events without a type have `LiveOrderChanges` as data: each changed order with its present version and status. The first event, `position`, only has an id to continue from. `reset`: too much has changed since the last event; read again what you show. `heartbeat`: every 15 s. `people`: `{orders, inbox}`, the orders that somebody has opened, and whether you have a new notice.',
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
    this.people.serve({ sink, sellers: caller.sellers, actor: caller.actor });
    // Browsers send an empty header before the first event.
    void this.live.serve({ sink, sellers: caller.sellers, lastEventId: lastEventId || after, owner });
  }
}
