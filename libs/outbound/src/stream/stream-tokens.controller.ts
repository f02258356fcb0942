import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { IssuedStreamToken, NewStreamToken, StreamTokenList } from '../stream-token.contract.js';
import { StreamTokens } from '../stream-tokens.js';
import { ApiErrors } from '#web/api-errors';
import { HttpError } from '#web/http-error';
import { Audit } from '#accounts/audited';
import { FreshProof } from '#accounts/fresh-proof';
import { ForStaff } from '#accounts/permission.guard';
import { TokenTerms } from '#accounts/token-terms';

@ApiTags('back office: stream tokens')
@Controller('backoffice/v1/stream-tokens')
@ForStaff(['admin'])
@FreshProof()
export class StreamTokensController {
  constructor(
    private readonly tokens: StreamTokens,
    private readonly terms: TokenTerms,
  ) {}

  @Post()
  @Audit('stream_token.created', 'stream_token')
  @ApiOperation({
    operationId: 'createStreamToken',
    summary: 'Create a token for the ping stream; it is shown only once',
  })
  @ApiCreatedResponse({ standardSchema: IssuedStreamToken })
  @ApiErrors(40000, 40001, 40100, 40112)
  async add(@Body({ schema: NewStreamToken }) { name, expires_at: end }: NewStreamToken): Promise<IssuedStreamToken> {
    const issued = await this.tokens.add({ name, expiresAt: this.terms.endOf(end) });
    if ('error' in issued) throw HttpError.with(40001, `name: ${issued.message}`);
    return IssuedStreamToken.parse(issued);
  }

  @Get()
  @ApiOperation({
    operationId: 'listStreamTokens',
    summary: 'List all tokens, including revoked and expired ones, with their last use; oldest first',
  })
  @ApiOkResponse({ standardSchema: StreamTokenList })
  @ApiErrors(40100)
  async list(): Promise<StreamTokenList> {
    return { token_days: this.terms.days, stream_tokens: await this.tokens.list() };
  }

  @Delete(':id')
  @Audit('stream_token.revoked', 'stream_token')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'revokeStreamToken',
    summary: 'Revoke a token; within 5 s it is refused and its live streams end',
  })
  @ApiNoContentResponse({ description: 'revoked' })
  @ApiErrors(40100, 40112, 40400)
  async revoke(@Param('id') id: string): Promise<void> {
    if (await this.tokens.revoke(id)) throw HttpError.notFound('token');
  }
}
