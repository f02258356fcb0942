import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Pool } from 'pg';
import { DeliveryReportOutcome, NewDeliveryReport } from '../ticket.contract.js';
import { MailSending } from '../mail/mail-sending.js';
import { OrderChanges } from '#orders/order-changes';
import { ApiErrors } from '#web/api-errors';
import { HttpError } from '#web/http-error';
import { Audit, auditDetail, skipAudit } from '#accounts/audited';
import { ForStaff } from '#accounts/permission.guard';
import { metadataOf, type StaffRequest } from '#accounts/staff-request';
import { noted } from '#orders/noted';

/** What carriers and mail servers say about what was sent. */
@ApiTags('back office: tickets')
@Controller('backoffice/v1/delivery-reports')
@ForStaff(['orders:act'])
export class DeliveryReportsController {
  constructor(
    private readonly pool: Pool,
    private readonly orders: OrderChanges,
    private readonly mails: MailSending,
  ) {}

  @Post()
  @Audit('delivery.reported', 'delivery')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'reportDelivery',
    summary:
      'Report that a parcel arrived or failed, or that an e-mail came back; the order moves, but never backwards',
  })
  @ApiOkResponse({ standardSchema: DeliveryReportOutcome })
  @ApiErrors(40000, 40001, 40100, 40400, 42201)
  async report(
    @Body({ schema: NewDeliveryReport }) body: NewDeliveryReport,
    @Req() request: StaffRequest,
  ): Promise<DeliveryReportOutcome> {
    const { order_id: id, tracking_number: trackingNumber, report, note } = body;
    if (report === 'bounced') return await this.bounced(body, request);
    const ids = id === undefined ? await this.withParcel(trackingNumber ?? '') : [id];
    if (ids.length === 0) throw HttpError.notFound('parcel');
    const outcome: DeliveryReportOutcome['orders'] = [];
    for (const orderId of ids) {
      const command = {
        type: 'ReportDelivery',
        report,
        ...(trackingNumber !== undefined && { trackingNumber }),
      } as const;
      const done = await this.orders.apply(orderId, { ...command, ...noted(note) }, metadataOf(request));
      const statusCode = done.order.status?.status_code ?? null;
      outcome.push({ order_id: orderId, moved: done.recorded, status_code: statusCode });
    }
    if (outcome.some(({ moved }) => moved)) auditDetail(request, { report, orders: ids });
    else skipAudit(request);
    return { orders: outcome };
  }

  private async bounced(
    { message_id: messageId = '', note }: NewDeliveryReport,
    request: StaffRequest,
  ): Promise<DeliveryReportOutcome> {
    const mailId = messageId.replaceAll(/^<|@.*$|>$/g, '');
    const bounced = await this.mails.bounced(mailId, note ?? undefined);
    if (!bounced) throw HttpError.notFound('e-mail');
    const { orderId, moved } = bounced;
    auditDetail(request, { report: 'bounced', mail: mailId });
    const { rows } = await this.pool.query<{ status_code: number | null }>(STATUS_CODE, [orderId]);
    return { orders: [{ order_id: orderId, moved, status_code: rows[0]?.status_code ?? null }] };
  }

  /** A parcel may have the tickets of several orders. */
  private async withParcel(trackingNumber: string): Promise<string[]> {
    const { rows } = await this.pool.query<{ id: string }>(WITH_PARCEL, [trackingNumber]);
    return rows.map(({ id }) => id);
  }
}

// Nobody sends more in one parcel, and a number that is used again must not change a crowd of orders.
const WITH_PARCEL = 'select id from orders where tracking_number = $1 order by id desc limit 20';

const STATUS_CODE = 'select status_code from orders where id = $1';
