import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { WebhookDelivery, WebhookDeliveryList, WebhookDeliveryQuery } from '../webhook.contract.js';
import { type DeliveryKey, deliveryKey } from './delivery-id.js';
import { WebhookDeliveries } from '../webhook-deliveries.js';
import { Webhooks } from '../webhooks.js';
import { ApiErrors } from '#web/api-errors';
import { orNotFound } from '#web/http-error';
import { cursorPage, readCursor } from '#web/cursor-page';
import { Audit } from '#accounts/audited';
import { ForStaff, Permit } from '#accounts/permission.guard';

@ApiTags('back office: webhooks')
@Controller('backoffice/v1/webhooks/:id/deliveries')
@ForStaff(['delivery:read'])
export class WebhookDeliveriesController {
  constructor(
    private readonly webhooks: Webhooks,
    private readonly deliveries: WebhookDeliveries,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listWebhookDeliveries',
    summary: 'List the deliveries of a webhook with their attempts, newest first',
  })
  @ApiOkResponse({ standardSchema: WebhookDeliveryList })
  @ApiErrors(40001, 40100, 40400)
  async list(
    @Param('id') id: string,
    @Query({ schema: WebhookDeliveryQuery }) { state, limit, cursor }: WebhookDeliveryQuery,
  ): Promise<WebhookDeliveryList> {
    orNotFound(await this.webhooks.find(id), 'webhook');
    // The id of the last delivery is all that the next page needs.
    const before = readCursor(cursor, (text) => ofWebhook(id, text)?.position);
    const found = await this.deliveries.list(id, { state, limit: limit + 1, before });
    const { page, next_cursor } = cursorPage(found, limit, (last) => last.id);
    return { deliveries: page, next_cursor };
  }

  @Post(':delivery/send')
  @Permit(['delivery:act'])
  @Audit('webhook_delivery.sent', 'webhook_delivery')
  @HttpCode(200)
  @ApiOperation({ operationId: 'sendWebhookDelivery', summary: 'Send one delivery again, whatever its state' })
  @ApiOkResponse({ standardSchema: WebhookDelivery })
  @ApiErrors(40100, 40400)
  async send(@Param('id') id: string, @Param('delivery') delivery: string): Promise<WebhookDelivery> {
    const key = ofWebhook(id, delivery);
    const sent = key && (await this.deliveries.resend(id, key.position));
    return orNotFound(sent, 'delivery');
  }
}

function ofWebhook(webhookId: string, delivery: string): DeliveryKey | undefined {
  const key = deliveryKey(delivery);
  return key?.webhookId === webhookId ? key : undefined;
}
