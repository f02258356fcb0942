import { Body, Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RecoveryCodes as IssuedRecoveryCodes, TotpCode, TotpSetup } from '../operator.contract.js';
import type { Caller } from '../caller.js';
import { isSelf } from './changed-by.js';
import { Operators } from '../operators.js';
import { RecoveryCodes } from './recovery-codes.js';
import { TotpSetups } from './totp-setups.js';
import { ApiErrors } from '#web/api-errors';
import { HttpError, orNotFound } from '#web/http-error';
import { Audit } from '../audited.js';
import { FreshProof } from '../fresh-proof.js';
import { ForStaff } from '../permission.guard.js';
import { RequiredTotp } from './required-totp.js';
import { SellerScope } from '../seller-scope.js';
import { StaffCaller } from '../staff-request.js';

@ApiTags('back office: operators')
@Controller('backoffice/v1/operators/:id/totp')
@ForStaff([])
@SellerScope('shared')
@FreshProof()
export class TotpController {
  constructor(
    private readonly setups: TotpSetups,
    private readonly recoveryCodes: RecoveryCodes,
    private readonly operators: Operators,
    private readonly required: RequiredTotp,
  ) {}

  @Post()
  @Audit('operator.totp_started', 'operator')
  @ApiOperation({
    operationId: 'startTotp',
    summary: 'Create the secret of an authenticator app; it takes effect once one of its codes is confirmed',
  })
  @ApiCreatedResponse({ standardSchema: TotpSetup })
  @ApiErrors(40100, 40112, 40400)
  async start(@Param('id') id: string, @StaffCaller() caller: Caller): Promise<TotpSetup> {
    onlySelfOrAdministrator(id, caller);
    return orNotFound(await this.setups.start(id), 'operator');
  }

  @Post('confirm')
  @HttpCode(200)
  @Audit('operator.totp_confirmed', 'operator')
  @ApiOperation({
    operationId: 'confirmTotp',
    summary: 'Confirm the authenticator app; from then on signing in needs its code, and the other sessions end',
  })
  @ApiOkResponse({ standardSchema: IssuedRecoveryCodes })
  @ApiErrors(40000, 40001, 40100, 40112, 40400)
  async confirm(
    @Param('id') id: string,
    @Body({ schema: TotpCode }) { code }: TotpCode,
    @StaffCaller() caller: Caller,
  ): Promise<IssuedRecoveryCodes> {
    onlySelfOrAdministrator(id, caller);
    const codes = orNotFound(await this.setups.confirm(id, code, caller), 'operator');
    if (codes === 'wrong') throw HttpError.with(40001, 'code');
    return { recovery_codes: [...codes] };
  }

  @Post('recovery-codes')
  @HttpCode(200)
  @Audit('operator.recovery_codes_renewed', 'operator')
  @ApiOperation({
    operationId: 'renewRecoveryCodes',
    summary: 'Make ten new recovery codes; the earlier ones are no longer good',
  })
  @ApiOkResponse({ standardSchema: IssuedRecoveryCodes })
  @ApiErrors(40100, 40112, 40400, 40902)
  async renew(@Param('id') id: string, @StaffCaller() caller: Caller): Promise<IssuedRecoveryCodes> {
    onlySelfOrAdministrator(id, caller);
    orNotFound(await this.operators.find(id), 'operator');
    const codes = await this.recoveryCodes.renew(id, caller);
    if (!codes) throw HttpError.with(40902, 'there is no authenticator app');
    return { recovery_codes: codes };
  }

  @Delete()
  @HttpCode(204)
  @Audit('operator.totp_removed', 'operator')
  @ApiOperation({
    operationId: 'removeTotp',
    summary: 'Remove the authenticator app, e.g. after a lost telephone',
  })
  @ApiNoContentResponse({ description: 'Signing in needs no code.' })
  @ApiErrors(40100, 40112, 40400, 40902)
  async remove(@Param('id') id: string, @StaffCaller() caller: Caller): Promise<void> {
    // A stolen session must not remove the second factor.
    if (!caller.permissions.includes('admin')) throw HttpError.with(40300, 'admin');
    const { roles } = orNotFound(await this.operators.find(id), 'operator');
    if (isSelf(id, caller) && this.required.isRequiredOf(roles)) throw HttpError.with(40902, 'REQUIRE_TOTP needs it');
    if (!(await this.setups.remove(id, caller))) throw HttpError.notFound('operator');
  }
}

function onlySelfOrAdministrator(id: string, caller: Caller): void {
  if (!isSelf(id, caller) && !caller.permissions.includes('admin')) throw HttpError.with(40300, 'admin');
}
