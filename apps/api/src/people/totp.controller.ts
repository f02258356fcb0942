import { Body, Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { TotpCode, TotpSetup } from '#contracts/backoffice/operator';
import type { Caller } from '#people/caller';
import { TotpSetups } from '#people/totp-setups';
import { ApiErrors } from '../http/api-errors.js';
import { HttpError, orNotFound } from '../http/http-error.js';
import { Audit } from './audited.js';
import { ForStaff } from './permission.guard.js';
import { SellerScope } from './seller-scope.js';
import { StaffCaller } from './staff-request.js';

@ApiTags('back office: operators')
@Controller('backoffice/v1/operators/:id/totp')
@ForStaff([])
@SellerScope('shared')
export class TotpController {
  constructor(private readonly setups: TotpSetups) {}

  @Post()
  @Audit('operator.totp_started', 'operator')
  @ApiOperation({
    operationId: 'startTotp',
    summary: 'Create the secret of an authenticator app; it takes effect once one of its codes is confirmed',
  })
  @ApiCreatedResponse({ standardSchema: TotpSetup })
  @ApiErrors(40100, 40400)
  async start(@Param('id') id: string, @StaffCaller() caller: Caller): Promise<TotpSetup> {
    onlySelfOrAdministrator(id, caller);
    return orNotFound(await this.setups.start(id), 'operator');
  }

  @Post('confirm')
  @HttpCode(204)
  @Audit('operator.totp_confirmed', 'operator')
  @ApiOperation({
    operationId: 'confirmTotp',
    summary: 'Confirm the authenticator app; from then on signing in needs its code',
  })
  @ApiNoContentResponse({ description: 'Signing in needs a code.' })
  @ApiErrors(40000, 40001, 40100, 40400)
  async confirm(
    @Param('id') id: string,
    @Body({ schema: TotpCode }) { code }: TotpCode,
    @StaffCaller() caller: Caller,
  ): Promise<void> {
    onlySelfOrAdministrator(id, caller);
    if (!orNotFound(await this.setups.confirm(id, code), 'operator')) throw HttpError.with(40001, 'code');
  }

  @Delete()
  @HttpCode(204)
  @Audit('operator.totp_removed', 'operator')
  @ApiOperation({
    operationId: 'removeTotp',
    summary: 'Remove the authenticator app, e.g. after a lost telephone',
  })
  @ApiNoContentResponse({ description: 'Signing in needs no code.' })
  @ApiErrors(40100, 40400)
  async remove(@Param('id') id: string, @StaffCaller() caller: Caller): Promise<void> {
    // A stolen session must not remove the second factor.
    if (!caller.permissions.includes('admin')) throw HttpError.with(40300, 'admin');
    if (!(await this.setups.remove(id, caller.actor))) throw HttpError.notFound('operator');
  }
}

function onlySelfOrAdministrator(id: string, caller: Caller): void {
  if (caller.actor !== `operator:${id}` && !caller.permissions.includes('admin')) throw HttpError.with(40300, 'admin');
}
