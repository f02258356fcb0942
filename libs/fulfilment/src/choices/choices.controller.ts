import { Body, Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Sealer } from '#base/sealing';
import { CHOICE_ANSWERS, type ChoiceAnswer } from '#domain/choice-events';
import { AddressLimit } from '#web/address-limit';
import { ApiErrors } from '#web/api-errors';
import { HttpError } from '#web/http-error';
import { messageHeaders } from '#web/message-page';
import { type AskedChoice, choiceOf } from '../choice-links.js';
import { ChoicePage } from './choice-page.js';
import { Choices } from './choices.js';

const PAGE = { 'text/html': { schema: { type: 'string' } } } as const;

/** Where the buyer of a postponed show chooses. The token is the credential. */
@ApiTags('tickets')
@Controller('choices')
export class ChoicesController {
  constructor(
    private readonly choices: Choices,
    private readonly page: ChoicePage,
    private readonly sealer: Sealer,
    private readonly limit: AddressLimit,
  ) {}

  @Get(':token')
  @ApiOperation({
    operationId: 'showChoice',
    summary: 'A page that asks the buyer of a postponed show whether to keep the tickets. Changes nothing',
  })
  @ApiOkResponse({ content: PAGE })
  @ApiErrors(40300, 41000, 42900)
  async show(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const choice = this.checked(token, request);
    const order = await this.choices.look(choice);
    reply.headers(messageHeaders('self'));
    return await this.page.of(choice.orderId, order);
  }

  @Post(':token')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'makeChoice',
    summary: 'Keep the tickets, or give them back for a refund. The first answer holds',
  })
  @ApiConsumes('application/x-www-form-urlencoded')
  @ApiBody({
    required: true,
    schema: {
      type: 'object',
      required: ['choice'],
      properties: { choice: { type: 'string', enum: [...CHOICE_ANSWERS] } },
    },
  })
  @ApiOkResponse({ content: PAGE })
  @ApiErrors(40001, 40300, 40901, 40902, 41000, 42900)
  async choose(
    @Param('token') token: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const choice = this.checked(token, request);
    const order = await this.choices.answer(choice, answerIn(body), request.id);
    reply.headers(messageHeaders('self'));
    return await this.page.of(choice.orderId, order);
  }

  private checked(token: string, request: FastifyRequest): AskedChoice {
    this.limit.admit(request);
    const choice = choiceOf(this.sealer, token);
    if (!choice) throw HttpError.with(40300, 'the link is not valid');
    return choice;
  }
}

function answerIn(body: unknown): ChoiceAnswer {
  const given = new URLSearchParams(Buffer.isBuffer(body) ? body.toString() : '').getAll('choice');
  const answer = CHOICE_ANSWERS.find((one) => one === given[0]);
  if (answer === undefined || given.length > 1) throw HttpError.with(40001, 'choice must be keep or refund');
  return answer;
}
