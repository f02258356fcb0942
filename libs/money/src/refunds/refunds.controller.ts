import { Body, Controller, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Audit, auditDetail } from '#accounts/audited';
import type { Caller } from '#accounts/caller';
import { ForStaff, Permit } from '#accounts/permission.guard';
import { SellerScope } from '#accounts/seller-scope';
import { callerOf, metadataOf, StaffCaller, type StaffRequest } from '#accounts/staff-request';
import { noted } from '#orders/noted';
import { ApiErrors } from '#web/api-errors';
import { ApiOptionalBody } from '#web/api-json-body';
import { optionalBody } from '#web/optional-body';
import {
  askedOf,
  NewRefund,
  Refund,
  RefundAnswer,
  RefundList,
  RefundPreview,
  RefundPreviewQuery,
} from '../refund.contract.js';
import { Refunds } from './refunds.js';

/** What goes back to the buyer of an order. The worker moves the money. */
@ApiTags('back office: money')
@Controller('backoffice/v1/orders/:id/refunds')
@ForStaff(['orders:read'])
@SellerScope('order')
export class RefundsController {
  constructor(private readonly refunds: Refunds) {}

  @Post()
  @Permit(['orders:act'])
  @Audit('refund.requested', 'order')
  @ApiOperation({
    operationId: 'requestRefund',
    summary: 'Give the buyer an amount back, or the price of tickets. It changes no status',
  })
  @ApiCreatedResponse({ standardSchema: Refund })
  @ApiErrors(40000, 40001, 40100, 40400, 40904, 40905, 40906, 41201)
  async request(
    @Param('id') id: string,
    @Body({ schema: NewRefund }) { note, ...wanted }: NewRefund,
    @Req() request: StaffRequest,
  ): Promise<Refund> {
    const refund = await this.refunds.request(id, { asked: askedOf(wanted), ...noted(note) }, by(request));
    auditDetail(request, detailOf(refund));
    return refund;
  }

  @Get()
  @ApiOperation({ operationId: 'listRefunds', summary: 'The refunds of an order, oldest first' })
  @ApiOkResponse({ standardSchema: RefundList })
  @ApiErrors(40100, 40400)
  async list(@Param('id') id: string, @StaffCaller() caller: Caller): Promise<RefundList> {
    return { refunds: await this.refunds.list(id, caller) };
  }

  @Get('preview')
  @ApiOperation({ operationId: 'previewRefund', summary: 'What a refund would take, from whom, and who gets it' })
  @ApiOkResponse({ standardSchema: RefundPreview })
  @ApiErrors(40001, 40100, 40400, 40904, 40905, 40906)
  async preview(
    @Param('id') id: string,
    @Query({ schema: RefundPreviewQuery }) wanted: RefundPreviewQuery,
    @StaffCaller() caller: Caller,
  ): Promise<RefundPreview> {
    return await this.refunds.preview(id, askedOf(wanted), caller);
  }

  @Post(':refund_id/approve')
  @Permit(['money:act'])
  @Audit('refund.approved', 'order')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'approveRefund',
    summary: 'Let a refund go ahead that waits, as another person than the one who asked for it',
  })
  @ApiOptionalBody(RefundAnswer)
  @ApiOkResponse({ standardSchema: Refund })
  @ApiErrors(40000, 40001, 40100, 40300, 40400, 40902, 40904, 40905, 40906, 41201)
  async approve(
    @Param('id') id: string,
    @Param('refund_id') refundId: string,
    @Body() body: unknown,
    @Req() request: StaffRequest,
  ): Promise<Refund> {
    return await this.answer(id, { type: 'ApproveRefund', refundId }, body, request);
  }

  @Post(':refund_id/decline')
  @Permit(['money:act'])
  @Audit('refund.declined', 'order')
  @HttpCode(200)
  @ApiOperation({ operationId: 'declineRefund', summary: 'Decline a refund that waits for an approval' })
  @ApiOptionalBody(RefundAnswer)
  @ApiOkResponse({ standardSchema: Refund })
  @ApiErrors(40000, 40001, 40100, 40400, 40902, 41201)
  async decline(
    @Param('id') id: string,
    @Param('refund_id') refundId: string,
    @Body() body: unknown,
    @Req() request: StaffRequest,
  ): Promise<Refund> {
    return await this.answer(id, { type: 'DeclineRefund', refundId }, body, request);
  }

  private async answer(
    orderId: string,
    answer: Readonly<{ type: 'ApproveRefund' | 'DeclineRefund'; refundId: string }>,
    body: unknown,
    request: StaffRequest,
  ): Promise<Refund> {
    const { note } = optionalBody(RefundAnswer, body);
    const refund = await this.refunds.answer(orderId, { ...answer, ...noted(note) }, by(request));
    auditDetail(request, detailOf(refund));
    return refund;
  }
}

const by = (request: StaffRequest) => ({ caller: callerOf(request), metadata: metadataOf(request) });

const detailOf = ({ id, amount, currency, reason }: Refund) => ({ refund: id, amount, currency, reason });
