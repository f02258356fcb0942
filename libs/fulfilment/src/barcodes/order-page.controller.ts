import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fileOf } from '#domain/handover';
import type { TicketFileType } from '#domain/order-events';
import type { KnownOrder } from '#domain/order-state';
import { seatsOf } from '#domain/seats';
import { ApiErrors } from '#web/api-errors';
import { html } from '#web/html';
import { HttpError } from '#web/http-error';
import { messageHeaders, messagePage } from '#web/message-page';
import { OrderPageQuery } from '../barcode.contract.js';
import { LinkRate } from '../tickets/link-rate.js';
import { TicketLinks } from '../tickets/ticket-links.js';
import { Tickets } from '../tickets/tickets.js';
import { OrderPageLinks } from './order-page-links.js';
import { SeatBarcodes } from './seat-barcodes.js';

/** A month. The page itself gives fresh links. */
const LONGEST_LINK_MIN = 43_200;

/** Where the buyer of an order finds all of its tickets. The signature is the credential. */
@ApiTags('tickets')
@Controller('tickets/orders')
export class OrderPageController {
  constructor(
    private readonly pages: OrderPageLinks,
    private readonly barcodes: SeatBarcodes,
    private readonly links: TicketLinks,
    private readonly rate: LinkRate,
    private readonly tickets: Tickets,
  ) {}

  @Get(':order_id')
  @ApiOperation({ operationId: 'showTickets', summary: 'A page with all tickets of an order, by its signed link' })
  @ApiOkResponse({ content: { 'text/html': { schema: { type: 'string' } } } })
  @ApiErrors(40300, 42900)
  async show(
    @Param('order_id') orderId: string,
    @Query({ schema: OrderPageQuery }) { signature }: OrderPageQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (!this.pages.isValid(orderId, signature)) throw HttpError.with(40300, 'the link is not valid');
    this.rate.admit(orderId, request);
    const order = await this.barcodes.read(orderId);
    const minutes = (await this.pages.minutesLeft(order.purchase.product.event_id)) ?? LONGEST_LINK_MIN;
    if (minutes <= 0 || order.status?.status === 'rejected') throw HttpError.with(40300, 'the link has expired');
    const types = new Map((await this.tickets.ofOrder(orderId)).map(({ id, type }) => [id, type]));
    const items = seatsByFile(order, types).map(([file, seats]) => {
      const { url } = this.links.create(file, Math.min(minutes, LONGEST_LINK_MIN));
      const name = types.get(file) === PASS ? 'Pass for Apple Wallet' : 'Ticket';
      return html`<li><a href="${url}">${name}, seat ${seats.join(', ')}</a></li>`;
    });
    const body = html`<ul>
      ${items}
    </ul>`;
    await reply
      .headers({ ...messageHeaders(), 'cache-control': 'private, no-store' })
      .send(messagePage('Your tickets', body));
  }
}

const PASS: TicketFileType = 'application/vnd.apple.pkpass';

/** The files to hand out, each with its seats: a pass beside another file, not instead of it. */
function seatsByFile(order: KnownOrder, types: ReadonlyMap<string, TicketFileType>): [file: string, seats: string[]][] {
  const byFile = new Map<string, string[]>();
  const isPass = (id: string) => types.get(id) === PASS;
  for (const seat of seatsOf(order)) {
    for (const kind of [order.ticketFiles.ids.filter((id) => !isPass(id)), order.ticketFiles.ids.filter(isPass)]) {
      const file = fileOf({ ...order, ticketFiles: { ...order.ticketFiles, ids: kind } }, seat);
      if (file !== null) byFile.set(file, [...(byFile.get(file) ?? []), seat]);
    }
  }
  return [...byFile];
}
