import { Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Audit, auditDetail } from '#accounts/audited';
import { ForStaff } from '#accounts/permission.guard';
import { SellerScope } from '#accounts/seller-scope';
import { callerOf, type StaffRequest } from '#accounts/staff-request';
import { ApiErrors } from '#web/api-errors';
import { HttpError, orNotFound } from '#web/http-error';
import { MacroResult } from '../macro.contract.js';
import { refusalOfSteps } from './macro-access.js';
import { MacroRunner } from './macro-runner.js';
import { Macros } from './macros.js';

@ApiTags('back office: orders')
@Controller('backoffice/v1/orders/:id/macros')
@ForStaff(['orders:act'])
@SellerScope('order')
export class OrderMacrosController {
  constructor(
    private readonly macros: Macros,
    private readonly runner: MacroRunner,
  ) {}

  @Post(':macro_id')
  @HttpCode(200)
  @Audit('macro.applied', 'macro')
  @ApiOperation({
    operationId: 'applyMacro',
    summary: 'Do the steps of a macro to an order; nothing if one of them is not allowed to the caller',
  })
  @ApiOkResponse({ standardSchema: MacroResult })
  @ApiErrors(40000, 40001, 40100, 40400)
  async apply(
    @Param('id') id: string,
    @Param('macro_id') macroId: string,
    @Req() request: StaffRequest,
  ): Promise<MacroResult> {
    const caller = callerOf(request);
    const macro = orNotFound(await this.macros.find(macroId), 'macro');
    const refusal = refusalOfSteps(macro.steps, caller);
    if (refusal !== undefined) throw HttpError.with(40300, refusal);
    const by = { caller, transactionId: request.id, address: request.ip };
    const steps = orNotFound(await this.runner.run(id, macro, by), 'order');
    auditDetail(request, { order: id, steps: steps.map(({ type, outcome }) => ({ type, outcome })) });
    return { steps };
  }
}
