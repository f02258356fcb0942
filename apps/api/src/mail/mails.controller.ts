import { Body, Controller, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { MailPreview, NewMail, type OrderMail, OrderMailList } from '#contracts/backoffice/mail';
import { masked } from '#orders/desk/masking';
import { MailComposer } from '#orders/mail/mail-composer';
import { Mails, type StoredMail } from '#orders/mail/mails';
import type { Caller } from '#people/caller';
import { PersonalReads } from '#people/personal-reads';
import { OperatorNames } from '#people/operator-names';
import { ApiErrors } from '../http/api-errors.js';
import { HttpError, orNotFound } from '../http/http-error.js';
import { Audit, auditDetail } from '../people/audited.js';
import { ForStaff, Permit } from '../people/permission.guard.js';
import { SellerLookup, SellerScope } from '../people/seller-scope.js';
import { callerOf, StaffCaller, type StaffRequest } from '../people/staff-request.js';

/** E-mails to the buyer of an order. The worker sends them. */
@ApiTags('back office: e-mail')
@Controller('backoffice/v1/orders/:id/mails')
@ForStaff(['orders:act'])
@SellerScope('order')
export class MailsController {
  constructor(
    private readonly mails: Mails,
    private readonly composer: MailComposer,
    private readonly names: OperatorNames,
    private readonly orders: SellerLookup,
    private readonly reads: PersonalReads,
  ) {}

  @Get()
  @Permit(['orders:read'])
  @ApiOperation({ operationId: 'listOrderMails', summary: 'The e-mails to the buyer, newest last' })
  @ApiOkResponse({ standardSchema: OrderMailList })
  @ApiErrors(40100, 40400)
  async list(@Param('id') id: string, @StaffCaller() caller: Caller): Promise<OrderMailList> {
    const [mails, seller] = await Promise.all([this.mails.ofOrder(id), this.orders.sellerOf('order', id)]);
    orNotFound(seller, 'order');
    const names = await this.names.of(mails.map(({ requested_by: actor }) => actor));
    return { mails: mails.map((mail) => this.documentOf(mail, names, caller)) };
  }

  @Post()
  @Audit('mail.requested', 'order')
  @ApiOperation({ operationId: 'sendOrderMail', summary: 'Send the confirmation or the tickets, again too' })
  @ApiCreatedResponse({ standardSchema: OrderMailList })
  @ApiErrors(40000, 40001, 40100, 40400, 40902)
  async send(
    @Param('id') id: string,
    @Body({ schema: NewMail }) { kind }: NewMail,
    @Req() request: StaffRequest,
  ): Promise<OrderMailList> {
    const composed = await this.composer.compose(id, kind);
    if ('reason' in composed) throw refusal(composed.reason);
    const caller = callerOf(request);
    const mail = orNotFound(await this.mails.request(id, kind, caller.actor), 'order');
    auditDetail(request, { mail, kind });
    return await this.list(id, caller);
  }

  @Post('preview')
  @Audit('mail.previewed', 'order')
  @HttpCode(200)
  @ApiOperation({ operationId: 'previewOrderMail', summary: 'What the e-mail would say' })
  @ApiOkResponse({ standardSchema: MailPreview })
  @ApiErrors(40000, 40001, 40100, 40400, 40902)
  async preview(
    @Param('id') id: string,
    @Body({ schema: NewMail }) { kind }: NewMail,
    @StaffCaller() caller: Caller,
  ): Promise<MailPreview> {
    const isClear = this.reads.inClear(caller);
    const composed = await this.composer.compose(id, kind, { masked: !isClear });
    if ('reason' in composed) throw refusal(composed.reason);
    const { to, subject, text } = composed;
    // The links of a preview would open the files.
    const shown = text.replaceAll(/(signature=)[\w-]+/g, '$1…');
    return { to: isClear ? to : masked(to), subject, text: shown };
  }

  private documentOf(stored: StoredMail, names: ReadonlyMap<string, string>, caller: Caller): OrderMail {
    const { content, order_id: _, ...mail } = stored;
    const isClear = content !== null && this.reads.inClear(caller);
    return {
      ...mail,
      requested_by_name: names.get(mail.requested_by) ?? null,
      to: content && (isClear ? content.to : masked(content.to)),
      subject: content && (isClear || !this.composer.isSubjectPersonal(mail.kind)) ? content.subject : null,
      text: content && isClear ? content.text : null,
    };
  }
}

function refusal(reason: string): HttpError {
  return reason === 'there is no such order' ? HttpError.notFound('order') : HttpError.with(40902, reason);
}
