import { Body, Controller, Get, Param, Post, Req } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { NewOrderNote, OrderNote, OrderNoteList } from '../order-desk.contract.js';
import { type OrderNote as StoredNote, OrderNotes } from '../order-notes.js';
import { PeopleOfOrders } from '../order-people.js';
import { OrderView } from '../order-view.js';
import type { Caller } from '#accounts/caller';
import { OperatorNames } from '#accounts/operator-names';
import { Audit, auditDetail } from '#accounts/audited';
import { ForStaff, Permit } from '#accounts/permission.guard';
import { SellerScope } from '#accounts/seller-scope';
import { StaffCaller, type StaffRequest } from '#accounts/staff-request';
import { ApiErrors } from '#web/api-errors';
import { orNotFound } from '#web/http-error';

/** What people write beside an order, and whom they mention. */
@ApiTags('back office: orders')
@Controller('backoffice/v1/orders/:id/notes')
@ForStaff(['orders:read'])
@SellerScope('order')
export class OrderNotesController {
  constructor(
    private readonly notes: OrderNotes,
    private readonly people: PeopleOfOrders,
    private readonly view: OrderView,
    private readonly names: OperatorNames,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'listOrderNotes', summary: 'The notes on an order, oldest first' })
  @ApiOkResponse({ standardSchema: OrderNoteList })
  @ApiErrors(40100, 40400)
  async list(@Param('id') id: string, @StaffCaller() caller: Caller): Promise<OrderNoteList> {
    orNotFound(await this.view.detail(id, caller), 'order');
    const notes = await this.notes.ofOrder(id, caller.sellers ? ['partner'] : ['internal', 'partner']);
    return { notes: await this.named(notes) };
  }

  @Post()
  @Permit(['orders:note'])
  @Audit('order.noted', 'order')
  @ApiOperation({
    operationId: 'addOrderNote',
    summary: "Leave a note for colleagues, or for the brokers of the order's seller too; mentioned people get a notice",
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
    const mentions = [...new Set(given.mentions)];
    await this.people.checkMentions({ orderId: id, ids: mentions, visibility }, caller);
    const written = { text, visibility, mentions, author: caller.actor };
    const note = orNotFound(await this.notes.add(id, written), 'order');
    auditDetail(request, { note: note.id, visibility, ...(mentions.length > 0 && { mentions }) });
    const [named] = await this.named([note]);
    return orNotFound(named, 'note');
  }

  private async named(notes: readonly StoredNote[]): Promise<OrderNote[]> {
    const mentioned = notes.flatMap(({ mentions }) => mentions.map(actorOf));
    const names = await this.names.of([...notes.map(({ author }) => author), ...mentioned]);
    return notes.map(({ mentions, ...note }) => ({
      ...note,
      author_name: names.get(note.author) ?? null,
      mentions: mentions.map((id) => ({ operator_id: id, name: names.get(actorOf(id)) ?? id })),
    }));
  }
}

const actorOf = (operatorId: string) => `operator:${operatorId}`;
