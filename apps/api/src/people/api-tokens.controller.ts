import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type ApiToken, ApiTokenList, IssuedApiToken, NewApiToken } from '#contracts/backoffice/api-token';
import { DatabaseClock } from '#database/database-clock';
import { ApiTokens, type ListedApiToken } from '#people/api-tokens';
import type { Caller } from '#people/caller';
import type { Clock } from '#runtime/clock';
import { ApiErrors } from '../http/api-errors.js';
import { HttpError } from '../http/http-error.js';
import { Audit } from './audited.js';
import { ForStaff } from './permission.guard.js';
import { StaffCaller } from './staff-request.js';

@ApiTags('back office: tokens')
@Controller('backoffice/v1/tokens')
@ForStaff(['admin'])
export class ApiTokensController {
  constructor(
    private readonly tokens: ApiTokens,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  @Post()
  @Audit('token.created', 'token')
  @ApiOperation({ operationId: 'createToken', summary: 'Create a token for a program; it is shown only once' })
  @ApiCreatedResponse({ standardSchema: IssuedApiToken })
  @ApiErrors(40000, 40001, 40100)
  async add(
    @Body({ schema: NewApiToken }) { name, scopes, expires_at: expiresAt }: NewApiToken,
    @StaffCaller() caller: Caller,
  ): Promise<IssuedApiToken> {
    if (expiresAt !== null && Date.parse(expiresAt) <= this.clock.now()) {
      throw HttpError.with(40001, 'expires_at must be in the future');
    }
    const term = expiresAt === null ? {} : { expiresAt: new Date(expiresAt) };
    const { token, ...listed } = await this.tokens.add({ name, scopes, ...term }, caller.actor);
    return { ...shown(listed), token };
  }

  @Get()
  @ApiOperation({
    operationId: 'listTokens',
    summary: 'List all tokens, including revoked and expired ones, newest first',
  })
  @ApiOkResponse({ standardSchema: ApiTokenList })
  @ApiErrors(40100)
  async list(): Promise<ApiTokenList> {
    return { tokens: (await this.tokens.list()).map(shown) };
  }

  @Delete(':id')
  @HttpCode(204)
  @Audit('token.revoked', 'token')
  @ApiOperation({ operationId: 'revokeToken', summary: 'Revoke a token; its next request is refused' })
  @ApiNoContentResponse({ description: 'It is revoked.' })
  @ApiErrors(40100, 40400)
  async revoke(@Param('id') id: string): Promise<void> {
    if (!(await this.tokens.revoke(id))) throw HttpError.notFound('token');
  }
}

function shown({ createdAt, createdBy, expiresAt, revokedAt, lastUsedAt, ...token }: ListedApiToken): ApiToken {
  return {
    ...token,
    scopes: [...token.scopes],
    created_at: createdAt.toISOString(),
    created_by: createdBy,
    expires_at: expiresAt?.toISOString() ?? null,
    revoked_at: revokedAt?.toISOString() ?? null,
    last_used_at: lastUsedAt?.toISOString() ?? null,
  };
}
