import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { TicketLinkQuery } from '../ticket.contract.js';
import { TicketLinks } from './ticket-links.js';
import { Tickets } from './tickets.js';
import { LiveActors } from '#accounts/live-actors';
import { ApiErrors } from '#web/api-errors';
import { HttpError, orNotFound } from '#web/http-error';
import { LinkRate } from './link-rate.js';
import { sendTicket, TICKET_CONTENT } from './send-ticket.js';

/** Where the links lead that buyers get. The signature is the credential. */
@ApiTags('tickets')
@Controller('tickets')
export class TicketLinksController {
  constructor(
    private readonly tickets: Tickets,
    private readonly links: TicketLinks,
    private readonly rate: LinkRate,
    private readonly actors: LiveActors,
  ) {}

  @Get(':ticket_id')
  @ApiOperation({ operationId: 'downloadTicket', summary: 'Download a ticket by its signed link' })
  @ApiOkResponse({ content: TICKET_CONTENT })
  @ApiErrors(40300, 40400, 42900)
  async download(
    @Param('ticket_id') ticketId: string,
    @Query({ schema: TicketLinkQuery }) query: TicketLinkQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const checked = this.links.check(ticketId, query);
    if (checked !== 'valid') {
      throw HttpError.with(40300, checked === 'expired' ? 'the link has expired' : 'the link is not valid');
    }
    this.rate.admit(query.link, request);
    const maker = this.links.makerOf(query);
    if (maker !== undefined && !(await this.actors.isLive(maker))) throw HttpError.with(40300, 'the link has expired');
    const ticket = orNotFound(await this.tickets.find(ticketId), 'ticket');
    // Mail programs look at links before people do. That is no download.
    if (request.method === 'HEAD') return void reply.header('content-type', ticket.type).send();
    const metadata = { transaction_id: request.id, actor: `link:${query.link}` };
    sendTicket(await this.tickets.open(ticketId, ticket.order_id, query.link, metadata), reply);
  }
}
