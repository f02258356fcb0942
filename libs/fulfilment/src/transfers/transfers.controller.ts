import { Body, Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Audit, auditDetail, skipAudit } from '#accounts/audited';
import { ForStaff, Permit } from '#accounts/permission.guard';
import { SellerScope } from '#accounts/seller-scope';
import { metadataOf, type StaffRequest } from '#accounts/staff-request';
import { Transfer } from '#orders/delivery.contract';
import { ApiErrors } from '#web/api-errors';
import { HttpError, orNotFound } from '#web/http-error';
import { AddedProof, NewTransfers, TransferList, TransferStateChange } from '../transfer.contract.js';
import { sendTicket, TICKET_CONTENT } from '../tickets/send-ticket.js';
import { UploadReader } from '../tickets/upload-reader.js';
import { TransferFiles } from './transfer-files.js';
import { TransferSources } from './transfer-sources.js';
import { TransferView } from './transfer-view.js';
import { Transfers } from './transfers.js';

/** Tickets that go to the buyer's account at a provider, seat by seat. */
@ApiTags('back office: tickets')
@Controller('backoffice/v1/orders/:id/transfers')
@ForStaff(['orders:act'])
@SellerScope('order')
export class TransfersController {
  constructor(
    private readonly transfers: Transfers,
    private readonly proofs: TransferFiles,
    private readonly uploads: UploadReader,
    private readonly sources: TransferSources,
    private readonly view: TransferView,
  ) {}

  @Get()
  @Permit(['orders:read'])
  @ApiOperation({ operationId: 'listTransfers', summary: "The order's transfers, oldest first" })
  @ApiOkResponse({ standardSchema: TransferList })
  @ApiErrors(40100, 40400)
  async list(@Param('id') id: string, @Req() request: StaffRequest): Promise<TransferList> {
    const transfers = orNotFound(await this.transfers.list(id), 'order');
    return { transfers: await this.view.shown(id, transfers, request) };
  }

  @Post()
  @Audit('tickets.transferred', 'order')
  @ApiOperation({
    operationId: 'sendTransfers',
    summary: "Record that seats were sent to the buyer's account; with the last one the order is delivered",
  })
  @ApiCreatedResponse({ standardSchema: TransferList })
  @ApiOkResponse({ standardSchema: TransferList, description: 'all of them were recorded before' })
  @ApiErrors(40000, 40001, 40100, 40400, 40901, 40902)
  async send(
    @Param('id') id: string,
    @Body({ schema: NewTransfers }) body: NewTransfers,
    @Req() request: StaffRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TransferList> {
    if (!(await this.sources.has(body.source))) throw HttpError.with(40001, 'source is none of the transfer sources');
    const { transfers, isNew } = await this.transfers.send(id, body, metadataOf(request));
    if (isNew) auditDetail(request, { transfers: transfers.map((one) => one.id), source: body.source });
    else skipAudit(request);
    reply.status(isNew ? 201 : 200);
    return { transfers: await this.view.shown(id, transfers, request) };
  }

  @Post(':transfer_id/state')
  @Audit('transfer.answered', 'transfer')
  @HttpCode(200)
  @ApiOperation({ operationId: 'answerTransfer', summary: 'Record that a transfer was accepted, declined or expired' })
  @ApiOkResponse({ standardSchema: Transfer })
  @ApiErrors(40000, 40001, 40100, 40400, 40901)
  async answer(
    @Param('id') id: string,
    @Param('transfer_id') transferId: string,
    @Body({ schema: TransferStateChange }) { state, at }: TransferStateChange,
    @Req() request: StaffRequest,
  ): Promise<Transfer> {
    const answer = { transferId, state, at: this.view.past(at) };
    const { transfer, recorded } = await this.transfers.answer(id, answer, metadataOf(request));
    if (recorded) auditDetail(request, { order: id, state });
    else skipAudit(request);
    const [shown] = await this.view.shown(id, transfer ? [transfer] : [], request);
    return orNotFound(shown, 'transfer');
  }

  @Post(':transfer_id/proof')
  @Audit('transfer.proven', 'transfer')
  @ApiOperation({ operationId: 'addTransferProof', summary: 'Store a PDF, PNG or JPEG that proves the transfer' })
  @ApiConsumes('multipart/form-data')
  @ApiBody({
    required: true,
    schema: { type: 'object', required: ['file'], properties: { file: { type: 'string', format: 'binary' } } },
  })
  @ApiCreatedResponse({ standardSchema: AddedProof })
  @ApiOkResponse({ standardSchema: AddedProof, description: 'the transfer has this file already' })
  @ApiErrors(40000, 40001, 40100, 40400, 40902, 41300, 41500)
  async prove(
    @Param('id') id: string,
    @Param('transfer_id') transferId: string,
    @Req() request: StaffRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AddedProof> {
    await this.proofs.transferOf(id, transferId);
    const { proof, isNew } = await this.uploads.readOne(request, (upload) => {
      return this.proofs.add(id, transferId, upload, metadataOf(request));
    });
    if (isNew) auditDetail(request, { order: id, proof: proof.id });
    else skipAudit(request);
    reply.status(isNew ? 201 : 200);
    return { proof };
  }

  @Get(':transfer_id/proof')
  @ApiOperation({
    operationId: 'openTransferProof',
    summary: 'The last proof of the transfer; that you opened it is in the timeline of the order',
  })
  @ApiOkResponse({ content: TICKET_CONTENT })
  @ApiErrors(40100, 40400)
  async open(
    @Param('id') id: string,
    @Param('transfer_id') transferId: string,
    @Req() request: StaffRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    sendTicket(await this.proofs.open(id, transferId, metadataOf(request)), reply, true);
  }
}
