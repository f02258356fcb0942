import { Body, Controller, Param, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PaymentProviders } from '#payments/payment-providers';
import { WebhookRefused } from '#payments/provider-events';
import { ApiErrors } from '#web/api-errors';
import { orNotFound } from '#web/http-error';
import { ProviderEventInbox } from './provider-event-inbox.js';

/** Providers that send webhooks. */
const SENDERS = ['stripe', 'braintree'];

/** What payment providers send us. An event is kept before it is answered. */
@ApiTags('payment providers')
@Controller('payments/v1')
export class ProviderWebhooksController {
  constructor(
    private readonly providers: PaymentProviders,
    private readonly inbox: ProviderEventInbox,
  ) {}

  @Post(':provider')
  @ApiOperation({
    operationId: 'receiveProviderEvent',
    summary: 'Webhooks of a payment provider; an empty 400 for a wrong signature or one older than five minutes',
  })
  @ApiParam({ name: 'provider', enum: SENDERS })
  @ApiOkResponse({ description: 'The event is kept; an event that is known already, too' })
  @ApiErrors(40400, 41300)
  async receive(
    @Param('provider') name: string,
    @Body() body: Buffer | undefined,
    @Req() { headers }: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const provider = orNotFound(SENDERS.includes(name) ? this.providers.find(name) : undefined, 'payment provider');
    try {
      const event = await provider.readWebhook({ body: body ?? Buffer.alloc(0), headers });
      await this.inbox.add(name, [event]);
      await reply.status(200).send();
    } catch (error) {
      if (!(error instanceof WebhookRefused)) throw error;
      await reply.status(400).send();
    }
  }
}
