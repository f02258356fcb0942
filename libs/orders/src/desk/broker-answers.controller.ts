import { Body, Controller, Headers, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Acceptance, Denial } from '../broker-answer.contract.js';
import { OrderDetail } from '../order.contract.js';
import { AnswerPurchase } from '../commands/answer-purchase.handler.js';
import { ApproveReview } from '../commands/approve-review.handler.js';
import { ApiErrors } from '#web/api-errors';
import { ApiOptionalBody } from '#web/api-json-body';
import { optionalBody } from '#web/optional-body';
import { Audit } from '#accounts/audited';
import { ForStaff } from '#accounts/permission.guard';
import { SellerScope } from '#accounts/seller-scope';
import { metadataOf, type StaffRequest } from '#accounts/staff-request';
import { ApiIfMatch, expectedVersion } from '#web/if-match';
import { noted } from '../noted.js';
import { OrderCommands } from './order-commands.js';

/** What ends the waiting of an order: the review, and what the broker answers. */
@ApiTags('back office: orders')
@Controller('backoffice/v1/orders/:id')
@ForStaff(['orders:act'])
@SellerScope('order')
export class BrokerAnswersController {
  constructor(private readonly orders: OrderCommands) {}

  @Post('approve')
  @Audit('order.changed', 'order')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'approveOrder',
    summary:
      'End the review of an order. It goes on as if it had never been held: to its broker, or to its confirmation',
  })
  @ApiIfMatch()
  @ApiOptionalBody(Acceptance)
  @ApiOkResponse({ standardSchema: OrderDetail })
  @ApiErrors(40000, 40001, 40100, 40400, 40901, 41201)
  async approve(
    @Param('id') id: string,
    @Body() body: unknown,
    @Headers('if-match') ifMatch: string | undefined,
    @Req() request: StaffRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OrderDetail> {
    const { note } = optionalBody(Acceptance, body);
    const approval = { ...noted(note), ...expectedVersion(ifMatch) };
    return await this.orders.execute(new ApproveReview(id, approval, metadataOf(request)), { request, reply });
  }

  @Post('accept')
  @Audit('order.changed', 'order')
  @HttpCode(200)
  @ApiOperation({ operationId: 'acceptOrder', summary: 'Confirm an order that waits for the broker' })
  @ApiIfMatch()
  @ApiOptionalBody(Acceptance)
  @ApiOkResponse({ standardSchema: OrderDetail })
  @ApiErrors(40000, 40001, 40100, 40400, 40901, 40903, 41201)
  async accept(
    @Param('id') id: string,
    @Body() body: unknown,
    @Headers('if-match') ifMatch: string | undefined,
    @Req() request: StaffRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OrderDetail> {
    const { note } = optionalBody(Acceptance, body);
    const answer = { type: 'Accept', ...noted(note), ...expectedVersion(ifMatch) } as const;
    return await this.orders.execute(new AnswerPurchase(id, answer, metadataOf(request)), { request, reply });
  }

  @Post('deny')
  @Audit('order.changed', 'order')
  @HttpCode(200)
  @ApiOperation({ operationId: 'denyOrder', summary: 'Reject an order that waits for the broker, and say why' })
  @ApiIfMatch()
  @ApiOkResponse({ standardSchema: OrderDetail })
  @ApiErrors(40000, 40001, 40100, 40400, 40901, 40903, 41201)
  async deny(
    @Param('id') id: string,
    @Body({ schema: Denial }) { reason, note }: Denial,
    @Headers('if-match') ifMatch: string | undefined,
    @Req() request: StaffRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OrderDetail> {
    const answer = { type: 'Deny', reason, ...noted(note), ...expectedVersion(ifMatch) } as const;
    return await this.orders.execute(new AnswerPurchase(id, answer, metadataOf(request)), { request, reply });
  }
}
