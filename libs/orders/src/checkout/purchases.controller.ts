import { Body, Controller, Get, Header, HttpCode, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Settings } from '#base/settings';
import { errorBody } from '#web/error-body.contract';
import { Purchase } from '../purchase.contract.js';
import { PaymentPurchaseRequest, WholesalePurchaseRequest } from '../purchase-request.contract.js';
import { Metrics } from '#platform/metrics';
import { PurchaseError } from '../commands/purchase-error.js';
import { SubmitPurchase, type SubmittedPurchase } from '../commands/submit-purchase.js';
import { ApiErrors } from '#web/api-errors';
import { ApiJsonBody } from '#web/api-json-body';
import { parseJson } from '#web/json-body.pipe';
import { HttpError } from '#web/http-error';
import { transactionHeader, transactionOf } from '#web/transaction';
import { Client, PaymentProviderGuard, type PlatformClient, PlatformGuard } from '#accounts/platform.guard';
import { PurchaseReading } from './purchase-reading.js';
import { PurchaseView } from './purchase-view.js';

const JSON_TYPE = 'application/json; charset=utf-8';

@ApiTags('checkout')
@ApiSecurity('platform')
@Controller('checkout/v1/purchases')
@UseGuards(PlatformGuard)
export class PurchasesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly reading: PurchaseReading,
    private readonly view: PurchaseView,
    private readonly metrics: Metrics,
    private readonly settings: Settings,
  ) {}

  @Post()
  @UseGuards(PaymentProviderGuard)
  @HttpCode(201)
  @Header('content-type', JSON_TYPE)
  @ApiOperation({ operationId: 'submitPurchase', summary: 'Submit a purchase, in the variant of the client' })
  @ApiJsonBody(PaymentPurchaseRequest, WholesalePurchaseRequest)
  @ApiCreatedResponse({
    standardSchema: Purchase,
    headers: { Location: { description: 'where to read the purchase', schema: { type: 'string' } } },
  })
  @ApiErrors(
    40000,
    40001,
    40009,
    40011,
    40012,
    40014,
    40016,
    40017,
    40024,
    40026,
    40030,
    40032,
    40033,
    40034,
    40035,
    40038,
    40039,
    40100,
    41300,
    42900,
    50300,
  )
  async submit(
    @Client() client: PlatformClient,
    @Req() request: FastifyRequest,
    @Body() rawBody: Buffer,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const transaction = transactionOf(request, transactionHeader(this.settings.CHECKOUT_SCHEME));
    const { clientId, requireRefId } = client;
    const submission = { clientId, transaction, rawBody, requireRefId };
    const submitted = await this.counted(client, new SubmitPurchase(client.variant, parseJson(rawBody), submission));
    reply.header('location', `${this.settings.PUBLIC_URL}/checkout/v1/purchases/${submitted.orderId}`);
    return this.view.ofSubmitted(submitted);
  }

  @Get(':id')
  @Header('content-type', JSON_TYPE)
  @ApiOperation({
    operationId: 'getPurchase',
    summary: 'Read a purchase: its status, delivery, fulfillment and history',
  })
  @ApiOkResponse({ standardSchema: Purchase })
  @ApiErrors(40040, 40100, 42900)
  async read(@Client() client: PlatformClient, @Param('id') id: string): Promise<string> {
    const purchase = await this.reading.read(client.clientId, id);
    if (purchase === undefined) throw HttpError.with(40040);
    return purchase;
  }

  private async counted({ variant }: PlatformClient, command: SubmitPurchase): Promise<SubmittedPurchase> {
    try {
      const submitted = await this.commands.execute(command);
      this.metrics.purchases.inc({ variant, outcome: 'accepted' });
      return submitted;
    } catch (thrown) {
      const refused = thrown instanceof PurchaseError ? new HttpError(400, errorBody(thrown.issues)) : undefined;
      this.metrics.purchases.inc({ variant, outcome: String(refused?.body.errors[0]?.code ?? 'fault') });
      throw refused ?? thrown;
    }
  }
}
