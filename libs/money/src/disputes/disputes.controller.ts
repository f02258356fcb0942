import { Body, Controller, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Audit, auditDetail } from '#accounts/audited';
import { ForStaff, Permit } from '#accounts/permission.guard';
import { callerOf, metadataOf, type StaffRequest } from '#accounts/staff-request';
import { OrderChanges } from '#orders/order-changes';
import { OrderNotes } from '#orders/order-notes';
import { ApiErrors } from '#web/api-errors';
import { cursorPage, readCursor } from '#web/cursor-page';
import { Dispute, DisputeClosing, DisputeList, DisputeQuery, EvidenceToSend } from '../dispute.contract.js';
import { dueCursor, readDueCursor } from '../paging/due-cursor.js';
import { DisputeAnswers } from './dispute-answers.js';
import { DisputeDesk } from './dispute-desk.js';
import { Disputes } from './disputes.js';

/** Disputes of buyers, and what staff answer. */
@ApiTags('back office: money')
@Controller('backoffice/v1/disputes')
@ForStaff(['money:read'])
export class DisputesController {
  constructor(
    private readonly desk: DisputeDesk,
    private readonly disputes: Disputes,
    private readonly answers: DisputeAnswers,
    private readonly orders: OrderChanges,
    private readonly notes: OrderNotes,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'listDisputes', summary: 'Disputes of all orders, first those that are due first' })
  @ApiOkResponse({ standardSchema: DisputeList })
  @ApiErrors(40001, 40100)
  async list(@Query({ schema: DisputeQuery }) { limit, cursor, ...filter }: DisputeQuery): Promise<DisputeList> {
    const after = readCursor(cursor, readDueCursor);
    const found = await this.desk.page(filter, { limit: limit + 1, after });
    const { page, next_cursor } = cursorPage(found, limit, dueCursor);
    return { disputes: page, next_cursor };
  }

  @Get(':id')
  @ApiOperation({ operationId: 'getDispute', summary: 'One dispute' })
  @ApiOkResponse({ standardSchema: Dispute })
  @ApiErrors(40100, 40400)
  async one(@Param('id') id: string): Promise<Dispute> {
    return await this.desk.one(id);
  }

  @Post(':id/evidence')
  @Permit(['money:act'])
  @Audit('dispute.evidence_sent', 'dispute')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'sendDisputeEvidence',
    summary: 'Send the provider the evidence pack in clear. Submitted evidence is final',
  })
  @ApiOkResponse({ standardSchema: Dispute })
  @ApiErrors(40000, 40001, 40100, 40400, 40908, 41201)
  async sendEvidence(
    @Param('id') id: string,
    @Body({ schema: EvidenceToSend }) sent: EvidenceToSend,
    @Req() request: StaffRequest,
  ): Promise<Dispute> {
    const dispute = await this.desk.one(id);
    const { order_id: orderId } = dispute;
    const { submit, note } = sent;
    const answer = await this.answers.sendEvidence(dispute, sent);
    if (submit) await this.orders.apply(orderId, answer, metadataOf(request));
    else if (typeof note === 'string') {
      await this.notes.add(orderId, { author: callerOf(request).actor, visibility: 'internal', text: note });
    }
    auditDetail(request, { order: orderId, submit });
    return await this.desk.one(id);
  }

  @Post(':id/accept')
  @Permit(['money:act'])
  @Audit('dispute.accepted', 'dispute')
  @HttpCode(200)
  @ApiOperation({ operationId: 'acceptDispute', summary: 'Give in: the bank keeps the money, and the dispute is lost' })
  @ApiOkResponse({ standardSchema: Dispute })
  @ApiErrors(40100, 40400, 40908, 41201)
  async accept(@Param('id') id: string, @Req() request: StaffRequest): Promise<Dispute> {
    const { order_id: orderId } = await this.desk.one(id);
    await this.orders.apply(orderId, await this.answers.accept(orderId, id), metadataOf(request));
    auditDetail(request, { order: orderId });
    return await this.desk.one(id);
  }

  @Post(':id/close')
  @Permit(['money:act'])
  @Audit('dispute.closed', 'dispute')
  @HttpCode(200)
  @ApiOperation({ operationId: 'closeDispute', summary: 'End a dispute that no card network decides' })
  @ApiOkResponse({ standardSchema: Dispute })
  @ApiErrors(40000, 40001, 40100, 40400, 40908, 41201)
  async close(
    @Param('id') id: string,
    @Body({ schema: DisputeClosing }) closing: DisputeClosing,
    @Req() request: StaffRequest,
  ): Promise<Dispute> {
    const dispute = await this.disputes.close(id, closing, metadataOf(request));
    auditDetail(request, { order: dispute.order_id, state: dispute.state });
    return dispute;
  }
}
