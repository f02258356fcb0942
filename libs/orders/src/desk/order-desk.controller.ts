import { Body, Controller, Headers, Param, Put, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { OrderDetail } from '../order.contract.js';
import { OrderAssignee, OrderTags } from '../order-desk.contract.js';
import { afterWrite } from '#database/database-errors';
import { OrderDesk } from '../order-desk.js';
import type { Caller } from '#accounts/caller';
import { Operators } from '#accounts/operators';
import { ApiErrors } from '#web/api-errors';
import { HttpError, orNotFound } from '#web/http-error';
import { Audit, auditDetail } from '#accounts/audited';
import { ForStaff, Permit } from '#accounts/permission.guard';
import { SellerScope } from '#accounts/seller-scope';
import { callerOf, type StaffRequest } from '#accounts/staff-request';
import { checkAssignee } from '../assignee.js';
import { ApiIfMatch, expectedVersion } from '#web/if-match';
import { OrderView } from '../order-view.js';

/** What staff record beside an order: tags and who takes care of it. */
@ApiTags('back office: orders')
@Controller('backoffice/v1/orders/:id')
@ForStaff(['orders:read'])
@SellerScope('order')
export class OrderDeskController {
  constructor(
    private readonly desk: OrderDesk,
    private readonly view: OrderView,
    private readonly operators: Operators,
  ) {}

  @Put('tags')
  @Permit(['orders:act'])
  @Audit('order.tagged', 'order')
  @ApiOperation({ operationId: 'setOrderTags', summary: 'Replace the tags of an order; its version stays' })
  @ApiIfMatch('`desk_version`')
  @ApiOkResponse({ standardSchema: OrderDetail })
  @ApiErrors(40000, 40001, 40100, 40400, 41201)
  async tag(
    @Param('id') id: string,
    @Body({ schema: OrderTags }) given: OrderTags,
    @Headers('if-match') ifMatch: string | undefined,
    @Req() request: StaffRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OrderDetail> {
    const caller = callerOf(request);
    notForBrokers(caller);
    const tags = [...new Set(given)];
    const { expectedVersion: expected } = expectedVersion(ifMatch);
    if (!(await this.desk.setTags(id, tags, expected))) throw HttpError.notFound('order');
    auditDetail(request, { tags });
    return await afterWrite(() => this.read(id, caller, reply));
  }

  @Put('assignee')
  @Permit(['orders:act'])
  @Audit('order.assigned', 'order')
  @ApiOperation({
    operationId: 'assignOrder',
    summary: 'Say which operator takes care of the order; its version stays',
  })
  @ApiIfMatch('`desk_version`')
  @ApiOkResponse({ standardSchema: OrderDetail })
  @ApiErrors(40000, 40001, 40100, 40400, 41201)
  async assign(
    @Param('id') id: string,
    @Body({ schema: OrderAssignee }) { operator_id: assignee }: OrderAssignee,
    @Headers('if-match') ifMatch: string | undefined,
    @Req() request: StaffRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OrderDetail> {
    const caller = callerOf(request);
    notForBrokers(caller);
    await checkAssignee(this.operators, assignee, 'operator_id');
    const { expectedVersion: expected } = expectedVersion(ifMatch);
    if (!(await this.desk.assign(id, { assignee, by: caller.actor }, expected))) throw HttpError.notFound('order');
    auditDetail(request, { assignee });
    return await afterWrite(() => this.read(id, caller, reply));
  }

  private async read(id: string, caller: Caller, reply: FastifyReply): Promise<OrderDetail> {
    const order = orNotFound(await this.view.detail(id, caller), 'order');
    reply.header('etag', `"${order.version}"`);
    return order;
  }
}

function notForBrokers({ sellers }: Caller): void {
  if (sellers) throw HttpError.with(40300, 'brokers cannot tag or assign orders');
}
