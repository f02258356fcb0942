import { Body, Controller, Headers, Param, Patch, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { BuyerChange, OrderDetail } from '#contracts/backoffice/order';
import { CorrectBuyer } from '#orders/commands/correct-buyer.handler';
import { PingQueries } from '#pings/ping-queries';
import { RESEND_LATEST } from '#pings/resent-pings.projection';
import { ApiErrors } from '../http/api-errors.js';
import { Audit, auditDetail } from '../people/audited.js';
import { ForStaff } from '../people/permission.guard.js';
import { SellerScope } from '../people/seller-scope.js';
import { metadataOf, type StaffRequest } from '../people/staff-request.js';
import { ApiIfMatch, expectedVersion } from './if-match.js';
import { OrderCommands } from './order-commands.js';

@ApiTags('back office: orders')
@Controller('backoffice/v1/orders/:id/buyer')
@ForStaff(['orders:reveal'])
@SellerScope('order')
export class BuyerController {
  constructor(
    private readonly orders: OrderCommands,
    private readonly pings: PingQueries,
  ) {}

  @Patch()
  @Audit('order.changed', 'order')
  @ApiOperation({ operationId: 'correctBuyer', summary: "Correct the buyer's name, e-mail address, phone or address" })
  @ApiIfMatch()
  @ApiOkResponse({ standardSchema: OrderDetail })
  @ApiErrors(40000, 40001, 40100, 40400, 40902, 41201)
  async correct(
    @Param('id') id: string,
    @Body({ schema: BuyerChange }) { send_ping: sendPing, ...correction }: BuyerChange,
    @Headers('if-match') ifMatch: string | undefined,
    @Req() request: StaffRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OrderDetail> {
    const change = { correction, ...expectedVersion(ifMatch) };
    // Which fields, but not what they say.
    auditDetail(request, { buyer: Object.keys(correction) });
    const command = new CorrectBuyer(id, change, metadataOf(request), sendPing ? RESEND_LATEST : {});
    const resend = sendPing ? () => this.pings.resendLatest(id) : undefined;
    return await this.orders.execute(command, { request, reply }, resend);
  }
}
