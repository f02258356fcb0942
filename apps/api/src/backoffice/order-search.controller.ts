import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { OrderList } from '#contracts/backoffice/order';
import { OrderSearchRequest } from '#contracts/backoffice/order-search';
import type { Caller } from '#people/caller';
import { ApiErrors } from '../http/api-errors.js';
import { ForStaff } from '../people/permission.guard.js';
import { SellerScope } from '../people/seller-scope.js';
import { StaffCaller } from '../people/staff-request.js';
import { OrderFinding } from './order-finding.js';

@ApiTags('back office: orders')
@Controller('backoffice/v1/orders')
@ForStaff(['orders:read'])
@SellerScope('order')
export class OrderSearchController {
  constructor(private readonly finding: OrderFinding) {}

  @Post('search')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'searchOrders',
    summary: 'Find orders by a condition on their fields, or by what somebody knows of the order',
  })
  @ApiOkResponse({ standardSchema: OrderList })
  @ApiErrors(40000, 40001, 40100)
  search(
    @Body({ schema: OrderSearchRequest }) request: OrderSearchRequest,
    @StaffCaller() caller: Caller,
  ): Promise<OrderList> {
    return this.finding.page(request, caller);
  }
}
