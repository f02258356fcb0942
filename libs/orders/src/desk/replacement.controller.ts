import { Body, Controller, Headers, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { OrderDetail } from '../order.contract.js';
import { ReplacementAnswer, ReplacementOffer } from '../replacement.contract.js';
import { AnswerReplacement } from '../commands/answer-replacement.handler.js';
import { ProposeReplacement } from '../commands/propose-replacement.handler.js';
import { ApiErrors } from '#web/api-errors';
import { ApiOptionalBody } from '#web/api-json-body';
import { optionalBody } from '#web/optional-body';
import { Audit } from '#accounts/audited';
import { ForStaff } from '#accounts/permission.guard';
import { SellerScope } from '#accounts/seller-scope';
import { callerOf, metadataOf, type StaffRequest } from '#accounts/staff-request';
import { ApiIfMatch, expectedVersion } from '#web/if-match';
import { noted } from '../noted.js';
import { OrderCommands } from './order-commands.js';

/** Other tickets for a buyer who cannot have the ones that were bought. */
@ApiTags('back office: orders')
@Controller('backoffice/v1/orders/:id/replacement')
@ForStaff(['orders:act'])
@SellerScope('order')
export class ReplacementController {
  constructor(private readonly orders: OrderCommands) {}

  @Post()
  @Audit('order.changed', 'order')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'offerReplacement',
    summary: 'Offer the buyer other tickets, which are set aside until the offer lapses',
  })
  @ApiIfMatch()
  @ApiOkResponse({ standardSchema: OrderDetail })
  @ApiErrors(40000, 40001, 40100, 40400, 40901, 40902, 41201)
  async offer(
    @Param('id') id: string,
    @Body({ schema: ReplacementOffer }) body: ReplacementOffer,
    @Headers('if-match') ifMatch: string | undefined,
    @Req() request: StaffRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OrderDetail> {
    const offer = {
      listingId: body.listing_id,
      terms: body.terms ?? null,
      expiresInMinutes: body.expires_in_minutes,
      sellers: callerOf(request).sellers ?? null,
      ...noted(body.note),
      ...expectedVersion(ifMatch),
    };
    return await this.orders.execute(new ProposeReplacement(id, offer, metadataOf(request)), { request, reply });
  }

  @Post('accept')
  @Audit('order.changed', 'order')
  @HttpCode(200)
  @ApiOperation({ operationId: 'acceptReplacement', summary: 'The buyer takes the other tickets' })
  @ApiIfMatch()
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
    return await this.orders.execute(new AnswerReplacement(id, answer, metadataOf(request)), { request, reply });
  }

  @Post('reject')
  @Audit('order.changed', 'order')
  @HttpCode(200)
  @ApiOperation({ operationId: 'rejectReplacement', summary: 'The buyer refuses the other tickets; the order ends' })
  @ApiIfMatch()
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
    return await this.orders.execute(new AnswerReplacement(id, answer, metadataOf(request)), { request, reply });
  }
}

const answerOf = (body: unknown) => noted(optionalBody(ReplacementAnswer, body).note);
