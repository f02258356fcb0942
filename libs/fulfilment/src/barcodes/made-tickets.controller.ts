import { Body, Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Audit, auditDetail, skipAudit } from '#accounts/audited';
import { ForStaff } from '#accounts/permission.guard';
import { SellerScope } from '#accounts/seller-scope';
import { metadataOf, type StaffRequest } from '#accounts/staff-request';
import { ApiErrors } from '#web/api-errors';
import { MadeTicketsRequest, ParcelLabel } from '../barcode.contract.js';
import { TicketList } from '../ticket.contract.js';
import { sendTicket, TICKET_CONTENT } from '../tickets/send-ticket.js';
import { MadeTickets } from './made-tickets.js';
import { ParcelLabels } from './parcel-labels.js';

/** Tickets and labels that are made here. */
@ApiTags('back office: tickets')
@Controller('backoffice/v1/orders/:id')
@ForStaff(['orders:act'])
@SellerScope('order')
export class MadeTicketsController {
  constructor(
    private readonly made: MadeTickets,
    private readonly labels: ParcelLabels,
  ) {}

  @Post('tickets/made')
  @Audit('tickets.made', 'order')
  @ApiOperation({ operationId: 'makeTickets', summary: 'Make tickets of the barcodes of seats' })
  @ApiCreatedResponse({ standardSchema: TicketList })
  @ApiErrors(40000, 40001, 40100, 40400, 40901, 40902)
  async make(
    @Param('id') id: string,
    @Body({ schema: MadeTicketsRequest }) { kind, seats }: MadeTicketsRequest,
    @Req() request: StaffRequest,
  ): Promise<TicketList> {
    const tickets = await this.made.make(kind, id, seats, metadataOf(request));
    auditDetail(request, { tickets: tickets.map((ticket) => ticket.id) });
    return { tickets: [...tickets] };
  }

  @Post('label')
  @Audit('label.printed', 'order')
  @ApiOperation({ operationId: 'printLabel', summary: 'Make the label of the parcel, once' })
  @ApiCreatedResponse({ standardSchema: ParcelLabel })
  @ApiOkResponse({ standardSchema: ParcelLabel, description: 'the label was made before' })
  @ApiErrors(40100, 40400, 40901)
  async print(
    @Param('id') id: string,
    @Req() request: StaffRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ParcelLabel> {
    const { isNew, ...label } = await this.labels.print(id, metadataOf(request));
    if (isNew) auditDetail(request, { label: label.id });
    else skipAudit(request);
    reply.status(isNew ? 201 : 200);
    return label;
  }

  @Get('label')
  @ApiOperation({ operationId: 'openLabel', summary: 'The label; that you opened it is in the timeline of the order' })
  @ApiOkResponse({ content: TICKET_CONTENT })
  @ApiErrors(40100, 40400, 40901)
  async open(@Param('id') id: string, @Req() request: StaffRequest, @Res() reply: FastifyReply): Promise<void> {
    sendTicket(await this.labels.open(id, metadataOf(request)), reply);
  }
}
