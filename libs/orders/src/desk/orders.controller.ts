import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Settings } from '#base/settings';
import {
  FulfillmentChange,
  OrderAsOf,
  OrderCount,
  OrderCountQuery,
  OrderDetail,
  OrderEvents,
  OrderList,
  OrderListQuery,
  StatusChange,
} from '../order.contract.js';
import { shipmentIssue } from '../fulfillment-check.js';
import { ChangeStatus } from '../commands/change-status.handler.js';
import { ErasePersonalData } from '../commands/erase-personal-data.handler.js';
import { FulfillOrder } from '../commands/fulfill-order.handler.js';
import type { Caller } from '#accounts/caller';
import { PingQueries } from '#outbound/ping-queries';
import { RESEND_LATEST } from '#outbound/resent-pings.projection';
import { ApiErrors } from '#web/api-errors';
import { orNotFound, HttpError } from '#web/http-error';
import { ApiIfMatch, expectedVersion } from '#web/if-match';
import { noted } from '../noted.js';
import { OrderCommands } from './order-commands.js';
import { OrderSearch } from '../search/order-search.js';
import { OrderView } from '../order-view.js';
import { Audit } from '#accounts/audited';
import { ForStaff, Permit } from '#accounts/permission.guard';
import { SellerScope } from '#accounts/seller-scope';
import { metadataOf, StaffCaller, type StaffRequest } from '#accounts/staff-request';

@ApiTags('back office: orders')
@Controller('backoffice/v1/orders')
@ForStaff(['orders:read'])
@SellerScope('order')
export class OrdersController {
  constructor(
    private readonly orders: OrderCommands,
    private readonly search: OrderSearch,
    private readonly view: OrderView,
    private readonly pings: PingQueries,
    private readonly settings: Settings,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'listOrders', summary: 'Find orders' })
  @ApiOkResponse({ standardSchema: OrderList })
  @ApiErrors(40001, 40100)
  list(@Query({ schema: OrderListQuery }) query: OrderListQuery, @StaffCaller() caller: Caller): Promise<OrderList> {
    return this.search.page(query, caller);
  }

  @Get('count')
  @ApiOperation({ operationId: 'countOrders', summary: 'Count the orders that match the filters of the list' })
  @ApiOkResponse({ standardSchema: OrderCount })
  @ApiErrors(40001, 40100)
  count(
    @Query({ schema: OrderCountQuery }) query: OrderCountQuery,
    @StaffCaller() caller: Caller,
  ): Promise<OrderCount> {
    return this.search.count(query, caller);
  }

  @Get(':id')
  @ApiOperation({ operationId: 'getOrder', summary: 'Everything about one order, now or at an earlier time' })
  @ApiOkResponse({ standardSchema: OrderDetail })
  @ApiErrors(40001, 40100, 40400)
  async read(
    @Param('id') id: string,
    @Query({ schema: OrderAsOf }) { version, at }: OrderAsOf,
    @StaffCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OrderDetail> {
    if (version !== undefined) return orNotFound(await this.view.past(id, { version }, caller), 'version');
    if (at !== undefined) return orNotFound(await this.view.past(id, { at }, caller), 'order at that time');
    const order = orNotFound(await this.view.detail(id, caller), 'order');
    reply.header('etag', `"${order.version}"`);
    return order;
  }

  @Get(':id/events')
  @ApiOperation({ operationId: 'listOrderEvents', summary: "The order's events as recorded" })
  @ApiOkResponse({ standardSchema: OrderEvents })
  @ApiErrors(40100, 40400)
  events(@Param('id') id: string, @StaffCaller() caller: Caller): Promise<OrderEvents> {
    return this.search.events(id, caller);
  }

  @Post(':id/status')
  @Permit(['orders:act'])
  @Audit('order.changed', 'order')
  @HttpCode(200)
  @ApiOperation({ operationId: 'changeOrderStatus', summary: 'Change the status of the order' })
  @ApiIfMatch()
  @ApiOkResponse({ standardSchema: OrderDetail })
  @ApiErrors(40000, 40001, 40100, 40400, 40901, 41201, 42201)
  async changeStatus(
    @Param('id') id: string,
    @Body({ schema: StatusChange }) { status_code: statusCode, note }: StatusChange,
    @Headers('if-match') ifMatch: string | undefined,
    @Req() request: StaffRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OrderDetail> {
    const change = { statusCode, ...noted(note), ...expectedVersion(ifMatch) };
    return await this.orders.execute(new ChangeStatus(id, change, metadataOf(request)), { request, reply });
  }

  @Post(':id/fulfillment')
  @Permit(['orders:act'])
  @Audit('order.changed', 'order')
  @HttpCode(200)
  @ApiOperation({ operationId: 'fulfilOrder', summary: 'Record how the tickets were sent; the status changes with it' })
  @ApiIfMatch()
  @ApiOkResponse({ standardSchema: OrderDetail })
  @ApiErrors(40000, 40001, 40100, 40400, 40901, 41201)
  async fulfil(
    @Param('id') id: string,
    @Body({ schema: FulfillmentChange }) { note, send_ping: sendPing, ...fulfillment }: FulfillmentChange,
    @Headers('if-match') ifMatch: string | undefined,
    @Req() request: StaffRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OrderDetail> {
    const issue = shipmentIssue(fulfillment, this.settings);
    if (issue !== undefined) throw HttpError.with(40001, issue);
    const change = { fulfillment, ...noted(note), ...expectedVersion(ifMatch) };
    const attachments = sendPing ? RESEND_LATEST : {};
    const command = new FulfillOrder(id, change, metadataOf(request), attachments);
    const resend = sendPing ? () => this.pings.resendLatest(id) : undefined;
    return await this.orders.execute(command, { request, reply }, resend);
  }

  @Delete(':id/personal-data')
  @Permit(['orders:erase'])
  @Audit('personal_data.erased', 'order')
  @ApiOperation({ operationId: 'erasePersonalData', summary: "Make the buyer's data permanently unreadable" })
  @ApiIfMatch()
  @ApiOkResponse({ standardSchema: OrderDetail })
  @ApiErrors(40100, 40400, 41201)
  async erase(
    @Param('id') id: string,
    @Headers('if-match') ifMatch: string | undefined,
    @Req() request: StaffRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OrderDetail> {
    const command = new ErasePersonalData(id, metadataOf(request), expectedVersion(ifMatch));
    return await this.orders.execute(command, { request, reply });
  }
}
