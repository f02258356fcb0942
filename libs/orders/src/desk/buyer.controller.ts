import { Body, Controller, Headers, Param, Patch, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { BuyerChange, OrderDetail } from '../order.contract.js';
import { CorrectBuyer } from '../commands/correct-buyer.handler.js';
import { PingQueries } from '#outbound/ping-queries';
import { RESEND_LATEST } from '#outbound/resent-pings.projection';
import { ApiErrors } from '#web/api-errors';
import { Audit, auditDetail } from '#accounts/audited';
import { ForStaff } from '#accounts/permission.guard';
import { SellerScope } from '#accounts/seller-scope';
import { metadataOf, type StaffRequest } from '#accounts/staff-request';
import { ApiIfMatch, expectedVersion } from '#web/if-match';
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
