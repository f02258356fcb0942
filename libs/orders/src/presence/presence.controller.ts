import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Caller } from '#accounts/caller';
import { ForStaff, Permit } from '#accounts/permission.guard';
import { SellerLookup, SellerScope } from '#accounts/seller-scope';
import { StaffCaller } from '#accounts/staff-request';
import { ApiErrors } from '#web/api-errors';
import { orNotFound } from '#web/http-error';
import { PeopleOfOrders } from '../order-people.js';
import { OrderPeople, OrderPresence } from '../presence.contract.js';
import { OrderPresences } from './order-presences.js';

/** The people around an order. */
@ApiTags('back office: orders')
@Controller('backoffice/v1/orders/:id')
@ForStaff(['orders:read'])
@SellerScope('order')
export class PresenceController {
  constructor(
    private readonly presences: OrderPresences,
    private readonly people: PeopleOfOrders,
    private readonly lookup: SellerLookup,
  ) {}

  /** A GET although it notes who asks: it is no change of the order, and an open page keeps no session alive. */
  @Get('presence')
  @ApiOperation({
    operationId: 'lookAtOrder',
    summary:
      'Who else has the order open; a person who asks counts as there for 30 s, so ask again every 10 s. Live changes announce who comes',
  })
  @ApiOkResponse({ standardSchema: OrderPresence })
  @ApiErrors(40100, 40400)
  async look(@Param('id') id: string, @StaffCaller() caller: Caller): Promise<OrderPresence> {
    orNotFound(await this.lookup.ofOrder(id), 'order');
    return await this.presences.lookAt(id, caller);
  }

  @Get('people')
  @Permit(['orders:note'])
  @ApiOperation({
    operationId: 'listOrderPeople',
    summary: 'The operators who can be mentioned in a note, because they may see the order, by name',
  })
  @ApiOkResponse({ standardSchema: OrderPeople })
  @ApiErrors(40100, 40400)
  async list(@Param('id') id: string, @StaffCaller() caller: Caller): Promise<OrderPeople> {
    orNotFound(await this.lookup.ofOrder(id), 'order');
    return { people: await this.people.of(id, caller) };
  }
}
