import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { OrderChanges, OrderChangesQuery } from '../order.contract.js';
import type { Caller } from '#accounts/caller';
import { ApiErrors } from '#web/api-errors';
import { orNotFound } from '#web/http-error';
import { ForStaff } from '#accounts/permission.guard';
import { SellerScope } from '#accounts/seller-scope';
import { StaffCaller } from '#accounts/staff-request';
import { jsonChanges } from './json-changes.js';
import { OrderSearch } from '../search/order-search.js';
import { OrderView } from '../order-view.js';

@ApiTags('back office: orders')
@Controller('backoffice/v1/orders/:id/changes')
@ForStaff(['orders:read'])
@SellerScope('order')
export class OrderHistoryController {
  constructor(
    private readonly view: OrderView,
    private readonly search: OrderSearch,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'listOrderChanges', summary: 'What differs between two versions of an order, and why' })
  @ApiOkResponse({ standardSchema: OrderChanges })
  @ApiErrors(40001, 40100, 40400)
  async list(
    @Param('id') id: string,
    @Query({ schema: OrderChangesQuery }) { from, to }: OrderChangesQuery,
    @StaffCaller() caller: Caller,
  ): Promise<OrderChanges> {
    const [before, after] = await Promise.all(
      [from, to].map(async (version) => orNotFound(await this.view.past(id, { version }, caller), 'version')),
    );
    const { events } = await this.search.events(id, caller);
    return {
      changes: jsonChanges(before, after),
      events: events.filter(({ position }) => position > from && position <= to),
    };
  }
}
