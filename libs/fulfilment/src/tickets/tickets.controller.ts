import { Body, Controller, Delete, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { NewTicketLink, OrderTicketList, TicketLink, TicketList } from '../ticket.contract.js';
import { TicketLinks } from './ticket-links.js';
import { TicketUpload } from './ticket-upload.js';
import { type StoredTicket, Tickets } from './tickets.js';
import type { Caller } from '#accounts/caller';
import { OperatorNames } from '#accounts/operator-names';
import { ApiErrors } from '#web/api-errors';
import { orNotFound } from '#web/http-error';
import { Audit, auditDetail, skipAudit } from '#accounts/audited';
import { ForStaff, Permit } from '#accounts/permission.guard';
import { SellerScope } from '#accounts/seller-scope';
import { callerOf, metadataOf, StaffCaller, type StaffRequest } from '#accounts/staff-request';
import { sendTicket, TICKET_CONTENT } from './send-ticket.js';
import { UploadReader } from './upload-reader.js';

/** The tickets of an order as files, and the links by which buyers get them. */
@ApiTags('back office: tickets')
@Controller('backoffice/v1/orders/:id/tickets')
@ForStaff(['orders:act'])
@SellerScope('order')
export class TicketsController {
  constructor(
    private readonly tickets: Tickets,
    private readonly upload: TicketUpload,
    private readonly uploads: UploadReader,
    private readonly links: TicketLinks,
    private readonly names: OperatorNames,
  ) {}

  @Get()
  @Permit(['orders:read'])
  @ApiOperation({ operationId: 'listOrderTickets', summary: "The order's ticket files, oldest first" })
  @ApiOkResponse({ standardSchema: OrderTicketList })
  @ApiErrors(40100, 40400)
  async list(@Param('id') id: string, @StaffCaller() caller: Caller): Promise<OrderTicketList> {
    const tickets = orNotFound(await this.tickets.listed(id), 'order');
    const names = await this.names.of(tickets.map(({ actor }) => actor));
    const mayAct = caller.permissions.includes('orders:act');
    return { tickets: tickets.map((ticket) => documentOf(ticket, names, mayAct)) };
  }

  @Post()
  @Audit('tickets.attached', 'order')
  @ApiOperation({
    operationId: 'attachTickets',
    summary: 'Store tickets (PDF, PNG, JPEG or pkpass), one file a part; all of them or none',
  })
  @ApiConsumes('multipart/form-data')
  @ApiBody({
    required: true,
    description: '`barcode` and `seat` stand once for each file, in the same order, or not at all; empty for none',
    schema: {
      type: 'object',
      required: ['file'],
      properties: {
        file: { type: 'array', items: { type: 'string', format: 'binary' } },
        barcode: { type: 'array', items: { type: 'string' } },
        seat: { type: 'array', items: { type: 'string' } },
      },
    },
  })
  @ApiCreatedResponse({ standardSchema: TicketList })
  @ApiErrors(40000, 40001, 40100, 40400, 40901, 40902, 41300, 41500)
  async attach(@Param('id') id: string, @Req() request: StaffRequest): Promise<TicketList> {
    const metadata = metadataOf(request);
    const tickets = await this.uploads.read(request, (files) => this.upload.run(id, files, metadata));
    auditDetail(request, { tickets: tickets.map((ticket) => ticket.id) });
    return { tickets: [...tickets] };
  }

  @Post(':ticket_id/link')
  @Audit('ticket.linked', 'ticket')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'linkTicket',
    summary: 'Make an address that opens the file without a credential for a while',
  })
  @ApiOkResponse({ standardSchema: TicketLink })
  @ApiErrors(40000, 40001, 40100, 40400)
  async link(
    @Param('id') id: string,
    @Param('ticket_id') ticketId: string,
    @Body({ schema: NewTicketLink }) { expires_in_minutes: minutes }: NewTicketLink,
    @Req() request: StaffRequest,
  ): Promise<TicketLink> {
    const ticket = orNotFound(await this.tickets.find(ticketId, id), 'ticket');
    orNotFound(ticket.withdrawn_at === null ? ticket : undefined, 'ticket');
    const { id: link, ...made } = this.links.create(ticketId, minutes, callerOf(request).actor);
    auditDetail(request, { order: id, link, expires_at: made.expires_at });
    return made;
  }

  @Get(':ticket_id/file')
  @ApiOperation({
    operationId: 'openTicket',
    summary: 'The file itself; that you opened it is in the timeline of the order',
  })
  @ApiOkResponse({ content: TICKET_CONTENT })
  @ApiErrors(40100, 40400)
  async open(
    @Param('id') id: string,
    @Param('ticket_id') ticketId: string,
    @Req() request: StaffRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    sendTicket(await this.tickets.open(ticketId, id, null, metadataOf(request)), reply, true);
  }

  @Delete(':ticket_id')
  @Audit('ticket.removed', 'ticket')
  @HttpCode(204)
  @ApiOperation({ operationId: 'removeTicket', summary: 'Take a file back and delete it; its links no longer open' })
  @ApiNoContentResponse({ description: 'it is gone' })
  @ApiErrors(40100, 40400)
  async remove(
    @Param('id') id: string,
    @Param('ticket_id') ticketId: string,
    @Req() request: StaffRequest,
  ): Promise<void> {
    orNotFound(await this.tickets.find(ticketId, id), 'ticket');
    const isRemoved = await this.tickets.remove(id, ticketId, metadataOf(request));
    if (isRemoved) auditDetail(request, { order: id });
    else skipAudit(request);
  }
}

function documentOf(
  { actor, label, ...ticket }: StoredTicket,
  names: ReadonlyMap<string, string>,
  mayAct: boolean,
): OrderTicketList['tickets'][number] {
  const barcode = label?.barcode ?? null;
  return {
    id: ticket.id,
    name: label?.name ?? null,
    type: ticket.type,
    size: ticket.size,
    sha256: ticket.sha256,
    barcode: barcode === null || mayAct ? barcode : `••${barcode.slice(-4)}`,
    seat: label?.seat ?? null,
    attached_at: ticket.attached_at,
    attached_by: actor,
    attached_by_name: names.get(actor) ?? null,
    withdrawn_at: ticket.withdrawn_at,
  };
}
