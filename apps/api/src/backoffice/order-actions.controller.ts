import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { OrderActionList } from '#contracts/backoffice/order-action';
import { OrderActions } from '#orders/desk/order-actions';
import type { Caller } from '#people/caller';
import { ApiErrors } from '../http/api-errors.js';
import { orNotFound } from '../http/http-error.js';
import { ForStaff } from '../people/permission.guard.js';
import { SellerScope } from '../people/seller-scope.js';
import { StaffCaller } from '../people/staff-request.js';
import { shownActions } from './order-action-view.js';

@ApiTags('back office: orders')
@Controller('backoffice/v1/orders/:id/actions')
@ForStaff(['orders:read'])
@SellerScope('order')
export class OrderActionsController {
  constructor(private readonly actions: OrderActions) {}

  @Get()
  @ApiOperation({
    operationId: 'listOrderActions',
    summary: 'What can be done to the order now, and what would follow',
  })
  @ApiOkResponse({ standardSchema: OrderActionList })
  @ApiErrors(40100, 40400)
  async list(@Param('id') id: string, @StaffCaller() caller: Caller): Promise<OrderActionList> {
    const actions = orNotFound(await this.actions.of(id), 'order');
    return { actions: shownActions(actions, caller) };
  }
}
