import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { OrderChanges, OrderChangesQuery } from '#contracts/backoffice/order';
import type { Caller } from '#people/caller';
import { ApiErrors } from '../http/api-errors.js';
import { orNotFound } from '../http/http-error.js';
import { ForStaff } from '../people/permission.guard.js';
import { SellerScope } from '../people/seller-scope.js';
import { StaffCaller } from '../people/staff-request.js';
import { jsonChanges } from './json-changes.js';
import { OrderSearch } from './order-search.js';
import { OrderView } from './order-view.js';

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
