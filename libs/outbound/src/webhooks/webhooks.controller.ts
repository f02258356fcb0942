import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  NewWebhook,
  SecretRotation,
  Webhook,
  WebhookChange,
  WebhookList,
  TestDelivery,
  WebhookWithSecret,
} from '../webhook.contract.js';
import { TestDeliveries } from './test-deliveries.js';
import { type FieldIssues, Webhooks } from '../webhooks.js';
import { ApiErrors } from '#web/api-errors';
import { ApiOptionalBody } from '#web/api-json-body';
import { orNotFound, HttpError } from '#web/http-error';
import { optionalBody } from '#web/optional-body';
import { Audit } from '#accounts/audited';
import { FreshProof } from '#accounts/fresh-proof';
import { ForStaff, Permit } from '#accounts/permission.guard';

@ApiTags('back office: webhooks')
@Controller('backoffice/v1/webhooks')
@ForStaff(['delivery:read'])
export class WebhooksController {
  constructor(
    private readonly webhooks: Webhooks,
    private readonly trials: TestDeliveries,
  ) {}

  @Post()
  @Permit(['delivery:act'])
  @FreshProof()
  @Audit('webhook.created', 'webhook')
  @HttpCode(201)
  @ApiOperation({
    operationId: 'createWebhook',
    summary: 'Subscribe a receiver to the ping stream; its secret is shown only once',
  })
  @ApiCreatedResponse({ standardSchema: WebhookWithSecret })
  @ApiErrors(40000, 40001, 40100, 40112)
  async create(@Body({ schema: NewWebhook }) body: NewWebhook): Promise<WebhookWithSecret> {
    return unwrap(await this.webhooks.create(body));
  }

  @Get()
  @ApiOperation({ operationId: 'listWebhooks', summary: 'List all webhooks, oldest first' })
  @ApiOkResponse({ standardSchema: WebhookList })
  @ApiErrors(40100)
  async list(): Promise<WebhookList> {
    return { webhooks: [...(await this.webhooks.list())] };
  }

  @Get(':id')
  @ApiOperation({ operationId: 'getWebhook', summary: 'Read one webhook, its state and what waits for it' })
  @ApiOkResponse({ standardSchema: Webhook })
  @ApiErrors(40100, 40400)
  async read(@Param('id') id: string): Promise<Webhook> {
    return orNotFound(await this.webhooks.find(id), 'webhook');
  }

  @Patch(':id')
  @Permit(['delivery:act'])
  @Audit('webhook.changed', 'webhook')
  @ApiOperation({
    operationId: 'updateWebhook',
    summary: 'Change the address, filters and rate of a webhook, or pause or resume it',
  })
  @ApiOkResponse({ standardSchema: Webhook })
  @ApiErrors(40000, 40001, 40100, 40400)
  async change(@Param('id') id: string, @Body({ schema: WebhookChange }) body: WebhookChange): Promise<Webhook> {
    return orNotFound(unwrap(await this.webhooks.change(id, body)), 'webhook');
  }

  @Delete(':id')
  @Permit(['delivery:act'])
  @Audit('webhook.removed', 'webhook')
  @HttpCode(204)
  @ApiOperation({ operationId: 'deleteWebhook', summary: 'Remove a webhook with its deliveries' })
  @ApiNoContentResponse({ description: 'removed' })
  @ApiErrors(40100, 40400)
  async remove(@Param('id') id: string): Promise<void> {
    if (!(await this.webhooks.remove(id))) throw HttpError.notFound('webhook');
  }

  @Post(':id/pause')
  @Permit(['delivery:act'])
  @Audit('webhook.paused', 'webhook')
  @HttpCode(200)
  @ApiOperation({ operationId: 'pauseWebhook', summary: 'Pause a webhook; its deliveries wait' })
  @ApiOkResponse({ standardSchema: Webhook })
  @ApiErrors(40100, 40400)
  async pause(@Param('id') id: string): Promise<Webhook> {
    return orNotFound(await this.webhooks.pause(id), 'webhook');
  }

  @Post(':id/resume')
  @Permit(['delivery:act'])
  @Audit('webhook.resumed', 'webhook')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'resumeWebhook',
    summary: 'Resume a paused or disabled webhook, or one with an open breaker; sends what waits, oldest first',
  })
  @ApiOkResponse({ standardSchema: Webhook })
  @ApiErrors(40100, 40400)
  async resume(@Param('id') id: string): Promise<Webhook> {
    return orNotFound(await this.webhooks.resume(id), 'webhook');
  }

  @Post(':id/rotate')
  @Permit(['delivery:act'])
  @FreshProof()
  @Audit('webhook.rotated', 'webhook')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'rotateWebhookSecret',
    summary: 'Give a webhook a new secret, shown only once; earlier secrets keep signing for a while',
  })
  @ApiOptionalBody(SecretRotation)
  @ApiOkResponse({ standardSchema: WebhookWithSecret })
  @ApiErrors(40000, 40001, 40100, 40112, 40400)
  async rotate(@Param('id') id: string, @Body() body: unknown): Promise<WebhookWithSecret> {
    return orNotFound(unwrap(await this.webhooks.rotate(id, optionalBody(SecretRotation, body))), 'webhook');
  }

  @Post(':id/test')
  @Permit(['delivery:act'])
  @Audit('webhook.tested', 'webhook')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'testWebhook',
    summary: 'Send a signed test message at once, and return the answer of the receiver',
  })
  @ApiOkResponse({ standardSchema: TestDelivery })
  @ApiErrors(40100, 40400)
  async test(@Param('id') id: string): Promise<TestDelivery> {
    return orNotFound(await this.trials.run(id), 'webhook');
  }
}

function unwrap<T extends object | undefined>(result: T | FieldIssues): T {
  if (!isInvalid(result)) return result;
  throw HttpError.with(40001, result.issues.map(({ field, message }) => `${field}: ${message}`).join('; '));
}

function isInvalid(result: object | undefined): result is FieldIssues {
  return result !== undefined && 'issues' in result;
}
