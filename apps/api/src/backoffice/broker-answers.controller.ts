import { Body, Controller, Headers, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Acceptance, Denial } from '#contracts/backoffice/broker-answer';
import { OrderDetail } from '#contracts/backoffice/order';
import { AnswerPurchase } from '#orders/commands/answer-purchase.handler';
import { ApiErrors } from '../http/api-errors.js';
import { ApiOptionalBody } from '../http/api-json-body.js';
import { optionalBody } from '../http/optional-body.js';
import { Audit, skipAudit } from '../people/audited.js';
import { ForStaff } from '../people/permission.guard.js';
import { SellerScope } from '../people/seller-scope.js';
import { callerOf, type StaffRequest } from '../people/staff-request.js';
import { expectedVersion } from './if-match.js';
import { OrderAnswer } from './order-answer.js';

const IF_MATCH = { name: 'if-match', required: false, description: 'the quoted version that the change expects' };

/** What the broker answers to an order that waits for it. */
@ApiTags('back office: orders')
@Controller('backoffice/v1/orders/:id')
@ForStaff(['orders:act'])
@SellerScope('order')
export class BrokerAnswersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly answer: OrderAnswer,
  ) {}

  @Post('accept')
  @Audit('order.changed', 'order')
  @HttpCode(200)
  @ApiOperation({ operationId: 'acceptOrder', summary: 'Confirm an order that waits for the broker' })
  @ApiHeader(IF_MATCH)
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
    return await this.execute(id, { type: 'Accept', ...noted(note), ...expectedVersion(ifMatch) }, request, reply);
  }

  @Post('deny')
  @Audit('order.changed', 'order')
  @HttpCode(200)
  @ApiOperation({ operationId: 'denyOrder', summary: 'Reject an order that waits for the broker, and say why' })
  @ApiHeader(IF_MATCH)
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
    return await this.execute(id, answer, request, reply);
  }

  private async execute(
    id: string,
    answer: AnswerPurchase['answer'],
    request: StaffRequest,
    reply: FastifyReply,
  ): Promise<OrderDetail> {
    const caller = callerOf(request);
    const metadata = { transaction_id: request.id, actor: caller.actor };
    const recorded = await this.commands.execute(new AnswerPurchase(id, answer, metadata));
    if (!recorded) skipAudit(request);
    return await this.answer.afterWrite(id, caller, reply);
  }
}

const noted = (note: string | null | undefined) => (typeof note === 'string' ? { note } : {});
