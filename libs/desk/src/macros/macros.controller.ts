import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Audit } from '#accounts/audited';
import type { Caller } from '#accounts/caller';
import { ForStaff } from '#accounts/permission.guard';
import { SellerScope } from '#accounts/seller-scope';
import { StaffCaller } from '#accounts/staff-request';
import { ApiErrors } from '#web/api-errors';
import { HttpError, orNotFound } from '#web/http-error';
import { Macro, MacroBody, MacroChange, MacroList } from '../macro.contract.js';
import { refusalOfSteps } from './macro-access.js';
import { Macros, type StoredMacro } from './macros.js';

@ApiTags('back office: orders')
@Controller('backoffice/v1/macros')
@ForStaff(['orders:act'])
@SellerScope('shared')
export class MacrosController {
  constructor(private readonly macros: Macros) {}

  @Get()
  @ApiOperation({ operationId: 'listMacros', summary: 'The macros by name; brokers see those that they may apply' })
  @ApiOkResponse({ standardSchema: MacroList })
  @ApiErrors(40100)
  async list(@StaffCaller() caller: Caller): Promise<MacroList> {
    const macros = await this.macros.list();
    // A note for colleagues is not for brokers.
    const shownTo = caller.sellers ? macros.filter(({ steps }) => refusalOfSteps(steps, caller) === undefined) : macros;
    return { macros: shownTo.map(shown) };
  }

  @Post()
  @Audit('macro.created', 'macro')
  @ApiOperation({ operationId: 'createMacro', summary: 'Make one act of several steps on an order' })
  @ApiCreatedResponse({ standardSchema: Macro })
  @ApiErrors(40000, 40001, 40100)
  async add(@Body({ schema: MacroBody }) body: MacroBody, @StaffCaller() caller: Caller): Promise<Macro> {
    notForBrokers(caller);
    return shown(await this.macros.add(body));
  }

  @Patch(':id')
  @Audit('macro.changed', 'macro')
  @ApiOperation({ operationId: 'changeMacro', summary: 'Rename a macro, or replace its steps' })
  @ApiOkResponse({ standardSchema: Macro })
  @ApiErrors(40000, 40001, 40100, 40400)
  async change(
    @Param('id') id: string,
    @Body({ schema: MacroChange }) change: MacroChange,
    @StaffCaller() caller: Caller,
  ): Promise<Macro> {
    notForBrokers(caller);
    return shown(orNotFound(await this.macros.change(id, change), 'macro'));
  }

  @Delete(':id')
  @HttpCode(204)
  @Audit('macro.removed', 'macro')
  @ApiOperation({ operationId: 'removeMacro', summary: 'Remove a macro; what it did stays' })
  @ApiNoContentResponse({ description: 'It is removed.' })
  @ApiErrors(40100, 40400)
  async remove(@Param('id') id: string, @StaffCaller() caller: Caller): Promise<void> {
    notForBrokers(caller);
    if (!(await this.macros.remove(id))) throw HttpError.notFound('macro');
  }
}

const shown = ({ steps, ...macro }: StoredMacro): Macro => ({ ...macro, steps: [...steps] });

function notForBrokers({ sellers }: Caller): void {
  if (sellers) throw HttpError.with(40300, 'brokers cannot change macros, which all staff share');
}
