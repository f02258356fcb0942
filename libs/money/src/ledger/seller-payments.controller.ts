import { Body, Controller, Post, Req } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Audit, auditDetail } from '#accounts/audited';
import { ForStaff } from '#accounts/permission.guard';
import { metadataOf, type StaffRequest } from '#accounts/staff-request';
import { Settings } from '#base/settings';
import { centsOf } from '#domain/money';
import { CardDataPolicy } from '#orders/card-data-policy';
import { ApiErrors } from '#web/api-errors';
import { HttpError } from '#web/http-error';
import { NewSellerPayment, SellerPayment } from '../ledger.contract.js';
import { SellerPayments } from './seller-payments.js';

@ApiTags('back office: money')
@Controller('backoffice/v1/seller-payments')
@ForStaff(['money:act'])
export class SellerPaymentsController {
  constructor(
    private readonly payments: SellerPayments,
    private readonly cards: CardDataPolicy,
    private readonly settings: Settings,
  ) {}

  @Post()
  @Audit('seller.paid', 'seller payment')
  @ApiOperation({ operationId: 'recordSellerPayment', summary: 'Record that a seller was paid' })
  @ApiCreatedResponse({ standardSchema: SellerPayment })
  @ApiErrors(40000, 40001, 40100, 40902)
  async record(
    @Body({ schema: NewSellerPayment }) { seller, amount, paid_on, ...body }: NewSellerPayment,
    @Req() request: StaffRequest,
  ): Promise<SellerPayment> {
    const { CURRENCY: currency } = this.settings;
    const reference = this.cards.admit('reference', body.reference);
    // The contract has checked the amount.
    const paid = { seller, reference, amount_cents: centsOf(amount) ?? 0, currency, paid_on };
    const recordedAt = await this.payments.record(paid, metadataOf(request));
    if (recordedAt === undefined) throw HttpError.with(40902, 'a payment with this reference is recorded already');
    auditDetail(request, { seller, amount, reference });
    return { seller, amount: paid.amount_cents / 100, currency, paid_on, reference, recorded_at: recordedAt };
  }
}
