import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  IssuedClientSecret,
  NewClientSecret,
  NewPlatformClient,
  PlatformClient,
  PlatformClientChange,
  PlatformClientList,
} from '../platform-client.contract.js';
import { ClientRegistry, type ClientRegistryError, type IssuedSecret } from '../clients.js';
import { ApiErrors } from '#web/api-errors';
import { ApiOptionalBody } from '#web/api-json-body';
import { HttpError, orNotFound } from '#web/http-error';
import { optionalBody } from '#web/optional-body';
import { Audit } from '../audited.js';
import { FreshProof } from '../fresh-proof.js';
import { ForStaff } from '../permission.guard.js';

/** Maps each reason for not changing a client to its error. A new reason without an error does not compile. */
const ANSWERS: Readonly<Record<ClientRegistryError['error'], (message: string) => HttpError>> = {
  CLIENT_ID_INVALID: (message) => HttpError.with(40001, `client_id: ${message}`),
  CLIENT_NAME_INVALID: (message) => HttpError.with(40001, `name: ${message}`),
  SECRET_INVALID: (message) => HttpError.with(40001, `secret: ${message}`),
  CLIENT_EXISTS: (message) => HttpError.with(40902, message),
  CLIENT_REVOKED: (message) => HttpError.with(40902, message),
  TWO_SECRETS_LIVE: (message) => HttpError.with(40902, message),
  CLIENT_UNKNOWN: () => HttpError.notFound('client'),
  SECRET_UNKNOWN: () => HttpError.notFound('secret'),
};

@ApiTags('back office: platform clients')
@Controller('backoffice/v1/clients')
@ForStaff(['admin'])
@FreshProof()
export class ClientsController {
  constructor(private readonly clients: ClientRegistry) {}

  @Get()
  @ApiOperation({
    operationId: 'listClients',
    summary: 'List all platform clients with the ids of their secrets, oldest first',
  })
  @ApiOkResponse({ standardSchema: PlatformClientList })
  @ApiErrors(40100)
  async list(): Promise<PlatformClientList> {
    return { clients: await this.clients.list() };
  }

  @Post()
  @Audit('client.created', 'client')
  @ApiOperation({ operationId: 'createClient', summary: 'Create a platform client; its secret is shown only once' })
  @ApiCreatedResponse({ standardSchema: IssuedClientSecret })
  @ApiErrors(40000, 40001, 40100, 40112, 40902)
  async create(@Body({ schema: NewPlatformClient }) body: NewPlatformClient): Promise<IssuedClientSecret> {
    const { client_id: clientId, require_ref_id: requireRefId, ...fields } = body;
    return await this.#issued(await this.clients.create({ ...fields, clientId, requireRefId }));
  }

  @Patch(':client_id')
  @Audit('client.changed', 'client')
  @ApiOperation({
    operationId: 'changeClient',
    summary: 'Change the name of a client, or whether its purchases need a `ref_id`; effective within 5 s',
  })
  @ApiOkResponse({ standardSchema: PlatformClient })
  @ApiErrors(40000, 40001, 40100, 40112, 40400)
  async change(
    @Param('client_id') clientId: string,
    @Body({ schema: PlatformClientChange }) { name, require_ref_id: requireRefId }: PlatformClientChange,
  ): Promise<PlatformClient> {
    const refusal = await this.clients.change(clientId, { name, requireRefId });
    if (refusal) throw ANSWERS[refusal.error](refusal.message);
    return await this.#known(clientId);
  }

  @Post(':client_id/rotate')
  @HttpCode(200)
  @Audit('client.rotated', 'client')
  @ApiOperation({
    operationId: 'rotateClientSecret',
    summary: 'Give a client a second secret, shown only once; the first stays valid until it is revoked',
  })
  @ApiOptionalBody(NewClientSecret)
  @ApiOkResponse({ standardSchema: IssuedClientSecret })
  @ApiErrors(40000, 40001, 40100, 40112, 40400, 40902)
  async rotate(@Param('client_id') clientId: string, @Body() body: unknown): Promise<IssuedClientSecret> {
    return await this.#issued(await this.clients.rotate(clientId, optionalBody(NewClientSecret, body).secret));
  }

  @Post(':client_id/restore')
  @HttpCode(200)
  @Audit('client.restored', 'client')
  @ApiOperation({
    operationId: 'restoreClient',
    summary: 'Let a revoked client call again, with a new secret that is shown only once',
  })
  @ApiOptionalBody(NewClientSecret)
  @ApiOkResponse({ standardSchema: IssuedClientSecret })
  @ApiErrors(40000, 40001, 40100, 40112, 40400, 40902)
  async restore(@Param('client_id') clientId: string, @Body() body: unknown): Promise<IssuedClientSecret> {
    const { secret } = optionalBody(NewClientSecret, body);
    const { name, revoked_at: revokedAt } = await this.#known(clientId);
    if (revokedAt === null) throw HttpError.with(40902, 'this client is not revoked');
    return await this.#issued(await this.clients.restore({ clientId, name, secret }));
  }

  @Delete(':client_id/secrets/:secret_id')
  @Audit('client_secret.revoked', 'client_secret')
  @ApiOperation({
    operationId: 'revokeClientSecret',
    summary: 'Revoke one secret of a client; requests signed with it are refused within 5 s',
  })
  @ApiOkResponse({ standardSchema: PlatformClient })
  @ApiErrors(40100, 40112, 40400)
  async revokeSecret(
    @Param('client_id') clientId: string,
    @Param('secret_id') secretId: string,
  ): Promise<PlatformClient> {
    const refusal = await this.clients.revokeSecret(clientId, secretId);
    if (refusal) throw ANSWERS[refusal.error](refusal.message);
    return await this.#known(clientId);
  }

  @Delete(':client_id')
  @Audit('client.revoked', 'client')
  @ApiOperation({ operationId: 'revokeClient', summary: 'Revoke a client; its requests are refused within 5 s' })
  @ApiOkResponse({ standardSchema: PlatformClient })
  @ApiErrors(40100, 40112, 40400)
  async revoke(@Param('client_id') clientId: string): Promise<PlatformClient> {
    const refusal = await this.clients.revoke(clientId);
    if (refusal) throw ANSWERS[refusal.error](refusal.message);
    return await this.#known(clientId);
  }

  async #issued(result: IssuedSecret | ClientRegistryError): Promise<IssuedClientSecret> {
    if ('error' in result) throw ANSWERS[result.error](result.message);
    const { clientId, secretId, secret } = result;
    return { ...(await this.#known(clientId)), secret_id: secretId, secret };
  }

  async #known(id: string): Promise<PlatformClient> {
    const client = (await this.clients.list()).find(({ client_id }) => client_id === id);
    return orNotFound(client, 'client');
  }
}
