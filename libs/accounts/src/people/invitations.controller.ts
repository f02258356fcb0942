import { Body, Controller, HttpCode, Post, Req, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { AcceptedInvitation } from '../operator.contract.js';
import { AuditLog } from '../audit-log.js';
import { PasswordChanges } from './password-changes.js';
import { ApiErrors } from '#web/api-errors';
import { addressKey } from '#web/client-address';
import { HttpError } from '#web/http-error';
import { IdempotencyInterceptor } from '#web/idempotency.interceptor';
import { OwnSiteGuard } from './own-site.guard.js';

@ApiTags('back office: operators')
@Controller('backoffice/v1/invitations')
@UseGuards(OwnSiteGuard)
@UseInterceptors(IdempotencyInterceptor)
export class InvitationsController {
  constructor(
    private readonly passwords: PasswordChanges,
    private readonly audit: AuditLog,
  ) {}

  @Post('accept')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'acceptInvitation',
    summary: 'Choose the first password, by the token of an invitation',
  })
  @ApiNoContentResponse({ description: 'The password is set; sign in with it.' })
  @ApiErrors(40000, 40001, 40310, 41500, 42900, 50300)
  async accept(
    @Body({ schema: AcceptedInvitation }) { token, password }: AcceptedInvitation,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    const accepted = await this.passwords.acceptInvitation(token, password, addressKey(request.ip));
    if (!accepted) throw HttpError.with(40001, 'token');
    if ('retryAfterS' in accepted) throw HttpError.tooMany(accepted);
    const actor = `operator:${accepted.id}`;
    const by = { transactionId: request.id, address: request.ip };
    await this.audit.record({ actor, action: 'operator.invitation_accepted', subject: actor, ...by });
  }
}
