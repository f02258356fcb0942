import { Body, Controller, Get, HttpCode, Param, Post, Put, Req, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Audit, auditDetail, skipAudit } from '#accounts/audited';
import { ForStaff, Permit } from '#accounts/permission.guard';
import { SellerScope } from '#accounts/seller-scope';
import { callerOf, metadataOf, type StaffRequest } from '#accounts/staff-request';
import { OrderView } from '#orders/order-view';
import { ApiErrors } from '#web/api-errors';
import { orNotFound } from '#web/http-error';
import { BarcodeList, BarcodesGiven, NewBarcodes, OtherBarcode } from '../barcode.contract.js';
import { BarcodeLists } from './barcode-list.js';
import { MadeTickets } from './made-tickets.js';
import { OrderPageLinks } from './order-page-links.js';
import { SeatBarcodes } from './seat-barcodes.js';

/** Tickets of which the seller has only the barcodes. */
@ApiTags('back office: tickets')
@Controller('backoffice/v1/orders/:id/barcodes')
@ForStaff(['orders:act'])
@SellerScope('order')
export class BarcodesController {
  constructor(
    private readonly barcodes: SeatBarcodes,
    private readonly lists: BarcodeLists,
    private readonly pages: OrderPageLinks,
    private readonly orders: OrderView,
    private readonly made: MadeTickets,
  ) {}

  @Get()
  @Permit(['orders:read'])
  @ApiOperation({ operationId: 'listBarcodes', summary: "The barcodes of the order's seats" })
  @ApiOkResponse({ standardSchema: BarcodeList })
  @ApiErrors(40100, 40400)
  async list(@Param('id') id: string, @Req() request: StaffRequest): Promise<BarcodeList> {
    const mayAct = callerOf(request).permissions.includes('orders:act');
    return await this.lists.of(id, await this.barcodes.read(id), mayAct);
  }

  @Post()
  @Audit('barcodes.given', 'order')
  @ApiOperation({
    operationId: 'giveBarcodes',
    summary: 'Enter the barcodes of seats; with the last one the tickets are made, and the order is delivered',
  })
  @ApiCreatedResponse({ standardSchema: BarcodesGiven })
  @ApiOkResponse({ standardSchema: BarcodesGiven, description: 'the seats have these barcodes already' })
  @ApiErrors(40000, 40001, 40100, 40400, 40901, 40902)
  async give(
    @Param('id') id: string,
    @Body({ schema: NewBarcodes }) { barcodes }: NewBarcodes,
    @Req() request: StaffRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BarcodesGiven> {
    const isNew = await this.barcodes.give(id, barcodes, this.pages.url(id), metadataOf(request));
    if (isNew) auditDetail(request, { seats: barcodes.map(({ seat }) => seat) });
    else skipAudit(request);
    reply.status(isNew ? 201 : 200);
    return await this.given(id, request);
  }

  @Put(':seat')
  @Audit('barcode.replaced', 'order')
  @HttpCode(200)
  @ApiOperation({ operationId: 'replaceBarcode', summary: 'Give a seat another barcode, e.g. after it was refused' })
  @ApiOkResponse({ standardSchema: BarcodesGiven })
  @ApiErrors(40000, 40001, 40100, 40400, 40901, 40902)
  async replace(
    @Param('id') id: string,
    @Param('seat') seat: string,
    @Body({ schema: OtherBarcode }) body: OtherBarcode,
    @Req() request: StaffRequest,
  ): Promise<BarcodesGiven> {
    const metadata = metadataOf(request);
    const isNew = await this.barcodes.replace(id, { seat, ...body }, metadata);
    if (isNew) auditDetail(request, { seat });
    else skipAudit(request);
    if (isNew) await this.made.replace(id, seat, metadata);
    return await this.given(id, request);
  }

  private async given(id: string, request: StaffRequest): Promise<BarcodesGiven> {
    const { delivery } = orNotFound(await this.orders.detail(id, callerOf(request)), 'order');
    return { delivery };
  }
}
