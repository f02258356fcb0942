import { Body, Controller, Get, Headers, Param, Post, Put, Req, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { OrderDetail } from '../order.contract.js';
import { NewOrderNote, OrderAssignee, OrderNote, OrderNoteList, OrderTags } from '../order-desk.contract.js';
import { afterWrite } from '#database/database-errors';
import { OrderDesk } from '../order-desk.js';
import { type OrderNote as StoredNote, OrderNotes } from '../order-notes.js';
import type { Caller } from '#accounts/caller';
import { OperatorNames } from '#accounts/operator-names';
import { Operators } from '#accounts/operators';
import { ApiErrors } from '#web/api-errors';
import { HttpError, orNotFound } from '#web/http-error';
import { Audit, auditDetail } from '#accounts/audited';
import { ForStaff, Permit } from '#accounts/permission.guard';
import { SellerScope } from '#accounts/seller-scope';
import { callerOf, StaffCaller, type StaffRequest } from '#accounts/staff-request';
import { checkAssignee } from '../assignee.js';
import { ApiIfMatch, expectedVersion } from '#web/if-match';
import { OrderView } from '../order-view.js';

/** What staff record beside an order: notes, tags and who takes care of it. */
@ApiTags('back office: orders')
@Controller('backoffice/v1/orders/:id')
@ForStaff(['orders:read'])
@SellerScope('order')
export class OrderDeskController {
  constructor(
    private readonly desk: OrderDesk,
    private readonly notes: OrderNotes,
    private readonly view: OrderView,
    private readonly operators: Operators,
    private readonly names: OperatorNames,
  ) {}

  @Get('notes')
  @ApiOperation({ operationId: 'listOrderNotes', summary: 'The notes on an order, oldest first' })
  @ApiOkResponse({ standardSchema: OrderNoteList })
  @ApiErrors(40100, 40400)
  async list(@Param('id') id: string, @StaffCaller() caller: Caller): Promise<OrderNoteList> {
    orNotFound(await this.view.detail(id, caller), 'order');
    const notes = await this.notes.ofOrder(id, caller.sellers ? ['partner'] : ['internal', 'partner']);
    const names = await this.names.of(notes.map(({ author }) => author));
    return { notes: notes.map((note) => named(note, names)) };
  }

  @Post('notes')
  @Permit(['orders:note'])
  @Audit('order.noted', 'order')
  @ApiOperation({
    operationId: 'addOrderNote',
    summary: "Leave a note for colleagues, or for the brokers of the order's seller too",
  })
  @ApiCreatedResponse({ standardSchema: OrderNote })
  @ApiErrors(40000, 40001, 40100, 40400)
  async note(
    @Param('id') id: string,
    @Body({ schema: NewOrderNote }) { text, ...given }: NewOrderNote,
    @StaffCaller() caller: Caller,
    @Req() request: StaffRequest,
  ): Promise<OrderNote> {
    // A broker could not read an internal note of its own.
    const visibility = caller.sellers ? 'partner' : (given.visibility ?? 'internal');
    const note = orNotFound(await this.notes.add(id, { text, visibility, author: caller.actor }), 'order');
    auditDetail(request, { note: note.id, visibility });
    const names = await this.names.of([note.author]);
    return named(note, names);
  }

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
    if (!(await this.desk.assign(id, assignee, expected))) throw HttpError.notFound('order');
    auditDetail(request, { assignee });
    return await afterWrite(() => this.read(id, caller, reply));
  }

  private async read(id: string, caller: Caller, reply: FastifyReply): Promise<OrderDetail> {
    const order = orNotFound(await this.view.detail(id, caller), 'order');
    reply.header('etag', `"${order.version}"`);
    return order;
  }
}

function named(note: StoredNote, names: ReadonlyMap<string, string>): OrderNote {
  return { ...note, author_name: names.get(note.author) ?? null };
}

function notForBrokers({ sellers }: Caller): void {
  if (sellers) throw HttpError.with(40300, 'brokers cannot tag or assign orders');
}
