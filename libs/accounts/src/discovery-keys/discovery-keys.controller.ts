import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  DiscoveryKey,
  DiscoveryKeyChange,
  DiscoveryKeyList,
  DiscoveryKeyRotation,
  IssuedDiscoveryKey,
  NewDiscoveryKey,
} from '../discovery-key.contract.js';
import { DiscoveryKeys, type DiscoveryKeyError, type IssuedKey } from '../discovery-keys.js';
import { ApiErrors } from '#web/api-errors';
import { ApiOptionalBody } from '#web/api-json-body';
import { orNotFound, HttpError } from '#web/http-error';
import { optionalBody } from '#web/optional-body';
import { Audit } from '../audited.js';
import { FreshProof } from '../fresh-proof.js';
import { ForStaff } from '../permission.guard.js';

@ApiTags('back office: discovery keys')
@Controller('backoffice/v1/discovery-keys')
@ForStaff(['admin'])
@FreshProof()
export class DiscoveryKeysController {
  constructor(private readonly keys: DiscoveryKeys) {}

  @Get()
  @ApiOperation({
    operationId: 'listDiscoveryKeys',
    summary: 'List all keys of the public API with their usage, oldest first',
  })
  @ApiOkResponse({ standardSchema: DiscoveryKeyList })
  @ApiErrors(40100)
  async list(): Promise<DiscoveryKeyList> {
    return { keys: await this.keys.list() };
  }

  @Post()
  @Audit('key.created', 'key')
  @HttpCode(201)
  @ApiOperation({ operationId: 'createDiscoveryKey', summary: 'Create a key of the public API' })
  @ApiCreatedResponse({ standardSchema: IssuedDiscoveryKey })
  @ApiErrors(40000, 40001, 40100, 40112)
  async create(@Body({ schema: NewDiscoveryKey }) body: NewDiscoveryKey): Promise<IssuedDiscoveryKey> {
    const { name, client_id: clientId, rate_per_second: ratePerSecond, max_per_page: maxPerPage } = body;
    const issued = await this.keys.create({ name, clientId, ratePerSecond, maxPerPage, withSecret: body.with_secret });
    if ('error' in issued) throw HttpError.with(40001, issued.message);
    return await this.#shownOnce(issued);
  }

  @Patch(':client_id')
  @Audit('key.changed', 'key')
  @ApiOperation({
    operationId: 'changeDiscoveryKey',
    summary: 'Change the rate or the largest page of a key; it takes effect within 5 s',
  })
  @ApiOkResponse({ standardSchema: DiscoveryKey })
  @ApiErrors(40000, 40001, 40100, 40112, 40400, 40902)
  async change(
    @Param('client_id') clientId: string,
    @Body({ schema: DiscoveryKeyChange }) body: DiscoveryKeyChange,
  ): Promise<DiscoveryKey> {
    const { rate_per_second: ratePerSecond, max_per_page: maxPerPage } = body;
    const refusal = await this.keys.change(clientId, { ratePerSecond, maxPerPage });
    if (refusal) throw notChanged(refusal);
    return this.#known(clientId);
  }

  @Post(':client_id/rotate')
  @Audit('key.rotated', 'key')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'rotateDiscoveryKey',
    summary: 'Give a key a new secret, shown only once; the earlier one is accepted for a while',
  })
  @ApiOptionalBody(DiscoveryKeyRotation)
  @ApiOkResponse({ standardSchema: IssuedDiscoveryKey })
  @ApiErrors(40000, 40001, 40100, 40112, 40400, 40902)
  async rotate(@Param('client_id') clientId: string, @Body() body: unknown): Promise<IssuedDiscoveryKey> {
    const { overlap_seconds: overlap } = optionalBody(DiscoveryKeyRotation, body);
    const issued = await this.keys.rotate(clientId, overlap * 1_000);
    if (!('error' in issued)) return await this.#shownOnce(issued);
    throw notChanged(issued);
  }

  @Delete(':client_id')
  @Audit('key.revoked', 'key')
  @ApiOperation({ operationId: 'revokeDiscoveryKey', summary: 'Revoke a key; it takes effect within 5 s' })
  @ApiOkResponse({ standardSchema: DiscoveryKey })
  @ApiErrors(40100, 40112, 40400)
  async revoke(@Param('client_id') clientId: string): Promise<DiscoveryKey> {
    const refusal: DiscoveryKeyError | undefined = await this.keys.revoke(clientId);
    if (refusal) throw HttpError.notFound('key');
    return this.#known(clientId);
  }

  async #shownOnce({ clientId, secret }: IssuedKey): Promise<IssuedDiscoveryKey> {
    return { ...(await this.#known(clientId)), ...(secret !== undefined && { client_secret: secret }) };
  }

  async #known(clientId: string): Promise<DiscoveryKey> {
    const key = (await this.keys.list()).find(({ client_id }) => client_id === clientId);
    return orNotFound(key, 'key');
  }
}

function notChanged({ error, message }: DiscoveryKeyError): HttpError {
  return error === 'KEY_UNKNOWN' ? HttpError.notFound('key') : HttpError.with(40902, message);
}
