import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { OrderActionList } from '../order-action.contract.js';
import { OrderActions } from './order-actions.js';
import type { Caller } from '#accounts/caller';
import { Settings } from '#base/settings';
import { ApiErrors } from '#web/api-errors';
import { orNotFound } from '#web/http-error';
import { ForStaff } from '#accounts/permission.guard';
import { SellerScope } from '#accounts/seller-scope';
import { StaffCaller } from '#accounts/staff-request';
import { shownActions } from './order-action-view.js';

@ApiTags('back office: orders')
@Controller('backoffice/v1/orders/:id/actions')
@ForStaff(['orders:read'])
@SellerScope('order')
export class OrderActionsController {
  constructor(
    private readonly actions: OrderActions,
    private readonly settings: Settings,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listOrderActions',
    summary: 'What can be done to the order now, and what would follow',
  })
  @ApiOkResponse({ standardSchema: OrderActionList })
  @ApiErrors(40100, 40400)
  async list(@Param('id') id: string, @StaffCaller() caller: Caller): Promise<OrderActionList> {
    const actions = orNotFound(await this.actions.of(id), 'order');
    return { actions: shownActions(actions, caller, this.settings.CARRIERS) };
  }
}
