import { Body, Controller, Headers, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { OrderDetail } from '#contracts/backoffice/order';
import { ReplacementAnswer, ReplacementOffer } from '#contracts/backoffice/replacement';
import { AnswerReplacement } from '#orders/commands/answer-replacement.handler';
import { ProposeReplacement } from '#orders/commands/propose-replacement.handler';
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

/** Other tickets for a buyer who cannot have the ones that were bought. */
@ApiTags('back office: orders')
@Controller('backoffice/v1/orders/:id/replacement')
@ForStaff(['orders:act'])
@SellerScope('order')
export class ReplacementController {
  constructor(
    private readonly commands: CommandBus,
    private readonly answer: OrderAnswer,
  ) {}

  @Post()
  @Audit('order.changed', 'order')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'offerReplacement',
    summary: 'Offer the buyer other tickets, which are set aside until the offer lapses',
  })
  @ApiHeader(IF_MATCH)
  @ApiOkResponse({ standardSchema: OrderDetail })
  @ApiErrors(40000, 40001, 40100, 40400, 40901, 40902, 41201)
  async offer(
    @Param('id') id: string,
    @Body({ schema: ReplacementOffer }) body: ReplacementOffer,
    @Headers('if-match') ifMatch: string | undefined,
    @Req() request: StaffRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OrderDetail> {
    const caller = callerOf(request);
    const offer = {
      listingId: body.listing_id,
      terms: body.terms ?? null,
      expiresInMinutes: body.expires_in_minutes,
      sellers: caller.sellers ?? null,
      ...noted(body.note),
      ...expectedVersion(ifMatch),
    };
    const metadata = { transaction_id: request.id, actor: caller.actor };
    await this.commands.execute(new ProposeReplacement(id, offer, metadata));
    return await this.answer.afterWrite(id, caller, reply);
  }

  @Post('accept')
  @Audit('order.changed', 'order')
  @HttpCode(200)
  @ApiOperation({ operationId: 'acceptReplacement', summary: 'The buyer takes the other tickets' })
  @ApiHeader(IF_MATCH)
  @ApiOptionalBody(ReplacementAnswer)
  @ApiOkResponse({ standardSchema: OrderDetail })
  @ApiErrors(40000, 40001, 40100, 40400, 40901, 40902, 40903, 41201)
  async accept(
    @Param('id') id: string,
    @Body() body: unknown,
    @Headers('if-match') ifMatch: string | undefined,
    @Req() request: StaffRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OrderDetail> {
    const answer = { type: 'AcceptReplacement', ...answerOf(body), ...expectedVersion(ifMatch) } as const;
    return await this.execute(id, answer, request, reply);
  }

  @Post('reject')
  @Audit('order.changed', 'order')
  @HttpCode(200)
  @ApiOperation({ operationId: 'rejectReplacement', summary: 'The buyer refuses the other tickets; the order ends' })
  @ApiHeader(IF_MATCH)
  @ApiOptionalBody(ReplacementAnswer)
  @ApiOkResponse({ standardSchema: OrderDetail })
  @ApiErrors(40000, 40001, 40100, 40400, 40901, 40902, 40903, 41201)
  async reject(
    @Param('id') id: string,
    @Body() body: unknown,
    @Headers('if-match') ifMatch: string | undefined,
    @Req() request: StaffRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OrderDetail> {
    const answer = { type: 'RejectReplacement', ...answerOf(body), ...expectedVersion(ifMatch) } as const;
    return await this.execute(id, answer, request, reply);
  }

  private async execute(
    id: string,
    answer: AnswerReplacement['answer'],
    request: StaffRequest,
    reply: FastifyReply,
  ): Promise<OrderDetail> {
    const caller = callerOf(request);
    const metadata = { transaction_id: request.id, actor: caller.actor };
    const recorded = await this.commands.execute(new AnswerReplacement(id, answer, metadata));
    if (!recorded) skipAudit(request);
    return await this.answer.afterWrite(id, caller, reply);
  }
}

const noted = (note: string | null | undefined) => (typeof note === 'string' ? { note } : {});

const answerOf = (body: unknown) => noted(optionalBody(ReplacementAnswer, body).note);
