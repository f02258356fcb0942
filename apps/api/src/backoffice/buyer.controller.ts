import { Body, Controller, Headers, Param, Patch, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { BuyerChange, OrderDetail } from '#contracts/backoffice/order';
import { afterWrite } from '#database/database-errors';
import { CorrectBuyer } from '#orders/commands/correct-buyer.handler';
import { PingQueries } from '#pings/ping-queries';
import { RESEND_LATEST } from '#pings/resent-pings.projection';
import { ApiErrors } from '../http/api-errors.js';
import { orNotFound } from '../http/http-error.js';
import { Audit, auditDetail } from '../people/audited.js';
import { ForStaff } from '../people/permission.guard.js';
import { SellerScope } from '../people/seller-scope.js';
import { callerOf, type StaffRequest } from '../people/staff-request.js';
import { expectedVersion } from './if-match.js';
import { OrderView } from './order-view.js';

@ApiTags('back office: orders')
@Controller('backoffice/v1/orders/:id/buyer')
@ForStaff(['orders:reveal'])
@SellerScope('order')
export class BuyerController {
  constructor(
    private readonly commands: CommandBus,
    private readonly view: OrderView,
    private readonly pings: PingQueries,
  ) {}

  @Patch()
  @Audit('order.changed', 'order')
  @ApiOperation({ operationId: 'correctBuyer', summary: "Correct the buyer's name, e-mail address, phone or address" })
  @ApiHeader({ name: 'if-match', required: false, description: 'the quoted version that the change expects' })
  @ApiOkResponse({ standardSchema: OrderDetail })
  @ApiErrors(40000, 40001, 40100, 40400, 40902, 41201)
  async correct(
    @Param('id') id: string,
    @Body({ schema: BuyerChange }) { send_ping: sendPing, ...correction }: BuyerChange,
    @Headers('if-match') ifMatch: string | undefined,
    @Req() request: StaffRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OrderDetail> {
    const caller = callerOf(request);
    const metadata = { transaction_id: request.id, actor: caller.actor };
    const change = { correction, ...expectedVersion(ifMatch) };
    const recorded = await this.commands.execute(new CorrectBuyer(id, change, metadata, sendPing ? RESEND_LATEST : {}));
    if (sendPing && !recorded) await this.pings.resendLatest(id);
    // Which fields, but not what they say.
    auditDetail(request, { buyer: Object.keys(correction) });
    const order = await afterWrite(async () => orNotFound(await this.view.detail(id, caller), 'order'));
    reply.header('etag', `"${order.version}"`);
    return order;
  }
}
