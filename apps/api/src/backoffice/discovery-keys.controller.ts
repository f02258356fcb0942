import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  DiscoveryKey,
  DiscoveryKeyList,
  IssuedDiscoveryKey,
  NewDiscoveryKey,
} from '#contracts/backoffice/discovery-key';
import { DiscoveryKeys, type DiscoveryKeyError, type ListedKey } from '#platform-auth/discovery-keys';
import { ApiErrors } from '../http/api-errors.js';
import { orNotFound, HttpError } from '../http/http-error.js';
import { Audit } from '../people/audited.js';
import { ForStaff } from '../people/permission.guard.js';

@ApiTags('back office: discovery keys')
@Controller('backoffice/v1/discovery-keys')
@ForStaff(['admin'])
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
    return { keys: (await this.keys.list()).map(documentOf) };
  }

  @Post()
  @Audit('key.created', 'key')
  @HttpCode(201)
  @ApiOperation({ operationId: 'createDiscoveryKey', summary: 'Create a key of the public API' })
  @ApiCreatedResponse({ standardSchema: IssuedDiscoveryKey })
  @ApiErrors(40000, 40001, 40100)
  async create(@Body({ schema: NewDiscoveryKey }) body: NewDiscoveryKey): Promise<IssuedDiscoveryKey> {
    const { name, client_id: clientId, rate_per_second: ratePerSecond, with_secret: withSecret } = body;
    const issued = await this.keys.create({ name, clientId, ratePerSecond, withSecret });
    if ('error' in issued) throw HttpError.with(40001, issued.message);
    const secret = issued.secret === undefined ? {} : { client_secret: issued.secret };
    return { ...(await this.#known(issued.clientId)), ...secret };
  }

  @Delete(':client_id')
  @Audit('key.revoked', 'key')
  @ApiOperation({ operationId: 'revokeDiscoveryKey', summary: 'Revoke a key; it takes effect within 5 s' })
  @ApiOkResponse({ standardSchema: DiscoveryKey })
  @ApiErrors(40100, 40400)
  async revoke(@Param('client_id') clientId: string): Promise<DiscoveryKey> {
    const refusal: DiscoveryKeyError | undefined = await this.keys.revoke(clientId);
    if (refusal) throw HttpError.notFound('key');
    return this.#known(clientId);
  }

  async #known(clientId: string): Promise<DiscoveryKey> {
    const key = (await this.keys.list()).find((listed) => listed.clientId === clientId);
    return documentOf(orNotFound(key, 'key'));
  }
}

function documentOf(key: ListedKey): DiscoveryKey {
  return {
    client_id: key.clientId,
    name: key.name,
    has_secret: key.hasSecret,
    rate_per_second: key.ratePerSecond,
    created_at: key.createdAt.toISOString(),
    revoked_at: key.revokedAt?.toISOString() ?? null,
    usage: key.usage.map(({ day, requests, throttled }) => ({ day, requests, throttled })),
  };
}
