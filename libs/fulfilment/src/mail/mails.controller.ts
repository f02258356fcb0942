import { Body, Controller, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { MailPreview, NewMail, type OrderMail, OrderMailList } from '../mail.contract.js';
import { masked } from '#orders/masking';
import { MailComposer } from './mail-composer.js';
import { mailRefusal, MailRequests } from '../mail-requests.js';
import type { StoredMail } from '../mails.js';
import type { Caller } from '#accounts/caller';
import { PersonalReads } from '#accounts/personal-reads';
import { OperatorNames } from '#accounts/operator-names';
import { ApiErrors } from '#web/api-errors';
import { orNotFound } from '#web/http-error';
import { Audit, auditDetail } from '#accounts/audited';
import { ForStaff, Permit } from '#accounts/permission.guard';
import { SellerLookup, SellerScope } from '#accounts/seller-scope';
import { callerOf, StaffCaller, type StaffRequest } from '#accounts/staff-request';

/** E-mails to the buyer of an order. The worker sends them. */
@ApiTags('back office: e-mail')
@Controller('backoffice/v1/orders/:id/mails')
@ForStaff(['orders:act'])
@SellerScope('order')
export class MailsController {
  constructor(
    private readonly mails: MailRequests,
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
    const [mails, order] = await Promise.all([this.mails.ofOrder(id), this.orders.ofOrder(id)]);
    orNotFound(order, 'order');
    const names = await this.names.of(mails.map(({ requested_by: actor }) => actor));
    return { mails: mails.map((mail) => this.documentOf(mail, names, caller)) };
  }

  @Post()
  @Audit('mail.requested', 'order')
  @ApiOperation({
    operationId: 'sendOrderMail',
    summary: 'Send the confirmation, the tickets or what was refunded, again too',
  })
  @ApiCreatedResponse({ standardSchema: OrderMailList })
  @ApiErrors(40000, 40001, 40100, 40400, 40902)
  async send(
    @Param('id') id: string,
    @Body({ schema: NewMail }) { kind }: NewMail,
    @Req() request: StaffRequest,
  ): Promise<OrderMailList> {
    const caller = callerOf(request);
    const mail = await this.mails.request(id, kind, caller.actor);
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
    const composed = await this.composer.compose(id, { kind }, { masked: !isClear });
    if ('reason' in composed) throw mailRefusal(composed.reason);
    const { to, subject, text } = composed;
    // The links of a preview would open the files, and answer for the buyer.
    const shown = text.replaceAll(/(signature=|\/choices\/)[\w.-]+/g, '$1…');
    return { to: isClear ? to : masked(to), subject, text: shown };
  }

  private documentOf(stored: StoredMail, names: ReadonlyMap<string, string>, caller: Caller): OrderMail {
    const { content, order_id: _, refund_id: __, ...mail } = stored;
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
