import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Audit, auditDetail } from '#accounts/audited';
import type { Caller } from '#accounts/caller';
import { ForStaff, Permit } from '#accounts/permission.guard';
import { SellerScope } from '#accounts/seller-scope';
import { StaffCaller, type StaffRequest } from '#accounts/staff-request';
import { ApiErrors } from '#web/api-errors';
import { orNotFound } from '#web/http-error';
import { Buyer, BuyerData, BuyerOrdersQuery } from '../buyer.contract.js';
import { OrderList } from '../order.contract.js';
import { Buyers } from './buyers.js';

@ApiTags('back office: buyers')
@Controller('backoffice/v1/buyers/:id')
@ForStaff(['orders:act'])
@SellerScope('order')
export class BuyersController {
  constructor(private readonly buyers: Buyers) {}

  @Get()
  @ApiOperation({
    operationId: 'getBuyer',
    summary: 'A buyer, by the id of any order, with the sums of all their orders',
  })
  @ApiOkResponse({ standardSchema: Buyer })
  @ApiErrors(40100, 40400)
  async read(@Param('id') id: string, @StaffCaller() caller: Caller): Promise<Buyer> {
    return orNotFound(await this.buyers.find(id, caller), 'buyer');
  }

  @Get('orders')
  @ApiOperation({ operationId: 'listBuyerOrders', summary: 'All orders of a buyer, newest first' })
  @ApiOkResponse({ standardSchema: OrderList })
  @ApiErrors(40001, 40100, 40400)
  async orders(
    @Param('id') id: string,
    @Query({ schema: BuyerOrdersQuery }) query: BuyerOrdersQuery,
    @StaffCaller() caller: Caller,
  ): Promise<OrderList> {
    return orNotFound(await this.buyers.orders(id, query, caller), 'buyer');
  }

  @Get('data')
  @Permit(['orders:reveal'])
  @Audit('personal_data.revealed', 'order')
  @ApiOperation({
    operationId: 'readBuyerData',
    summary: 'All that is kept of a buyer, in clear, e.g. for the buyer who asks',
  })
  @ApiOkResponse({ standardSchema: BuyerData })
  @ApiErrors(40100, 40400)
  async data(@Param('id') id: string, @StaffCaller() caller: Caller, @Req() request: StaffRequest): Promise<BuyerData> {
    const data = orNotFound(await this.buyers.data(id, caller), 'buyer');
    auditDetail(request, { orders: data.orders.map((order) => order.id) });
    return data;
  }
}
