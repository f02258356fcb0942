import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiTokenList, IssuedApiToken, NewApiToken } from '../api-token.contract.js';
import { ApiTokens } from './api-tokens.js';
import type { Caller } from '../caller.js';
import { ApiErrors } from '#web/api-errors';
import { HttpError } from '#web/http-error';
import { Audit } from '../audited.js';
import { FreshProof } from '../fresh-proof.js';
import { ForStaff } from '../permission.guard.js';
import { StaffCaller } from '../staff-request.js';
import { TokenTerms } from '../token-terms.js';

@ApiTags('back office: tokens')
@Controller('backoffice/v1/tokens')
@ForStaff(['admin'])
@FreshProof()
export class ApiTokensController {
  constructor(
    private readonly tokens: ApiTokens,
    private readonly terms: TokenTerms,
  ) {}

  @Post()
  @Audit('token.created', 'token')
  @ApiOperation({ operationId: 'createToken', summary: 'Create a token for a program; it is shown only once' })
  @ApiCreatedResponse({ standardSchema: IssuedApiToken })
  @ApiErrors(40000, 40001, 40100, 40112)
  async add(
    @Body({ schema: NewApiToken }) { expires_at: end, ...fields }: NewApiToken,
    @StaffCaller() caller: Caller,
  ): Promise<IssuedApiToken> {
    // Callers who are limited to sellers do not come this far.
    const beyond = fields.scopes.filter((scope) => !caller.permissions.includes(scope));
    if (beyond.length > 0) throw HttpError.with(40300, beyond.join(' and '));
    const expiresAt = this.terms.endOf(end);
    const issued = await this.tokens.add({ ...fields, expiresAt, created_by: caller.actor });
    if ('error' in issued) throw HttpError.with(40001, `name: ${issued.message}`);
    return issued;
  }

  @Get()
  @ApiOperation({
    operationId: 'listTokens',
    summary: 'List all tokens, including revoked and expired ones, newest first',
  })
  @ApiOkResponse({ standardSchema: ApiTokenList })
  @ApiErrors(40100)
  async list(): Promise<ApiTokenList> {
    return { tokens: await this.tokens.list(), token_days: this.terms.days };
  }

  @Delete(':id')
  @HttpCode(204)
  @Audit('token.revoked', 'token')
  @ApiOperation({ operationId: 'revokeToken', summary: 'Revoke a token; its next request is refused' })
  @ApiNoContentResponse({ description: 'It is revoked.' })
  @ApiErrors(40100, 40112, 40400)
  async revoke(@Param('id') id: string): Promise<void> {
    if (await this.tokens.revoke(id)) throw HttpError.notFound('token');
  }
}
