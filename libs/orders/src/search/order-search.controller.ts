import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { OrderList } from '../order.contract.js';
import { OrderSearchRequest } from '../order-search.contract.js';
import type { Caller } from '#accounts/caller';
import { ApiErrors } from '#web/api-errors';
import { ForStaff } from '#accounts/permission.guard';
import { SellerScope } from '#accounts/seller-scope';
import { StaffCaller } from '#accounts/staff-request';
import { OrderFinding } from '../order-finding.js';

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
    @Body({ schema: OrderSearchRequest }) { where, q, sort, ...page }: OrderSearchRequest,
    @StaffCaller() caller: Caller,
  ): Promise<OrderList> {
    return this.finding.page({ where, q, sort }, page, caller);
  }
}
