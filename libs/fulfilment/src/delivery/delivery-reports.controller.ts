import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Pool } from 'pg';
import { DeliveryReportOutcome, kindOf, NewDeliveryReport, timedKind } from '../ticket.contract.js';
import { TransferView } from '../transfers/transfer-view.js';
import { DELIVERY_REPORTS, type DeliveryReport } from '#domain/delivery-report';
import { seesOrder } from '#domain/order-access';
import type { KnownOrder } from '#domain/order-state';
import type { Caller } from '#accounts/caller';
import { SellerLookup, SellerScope } from '#accounts/seller-scope';
import { MailSending } from '../mail/mail-sending.js';
import { OrderChanges } from '#orders/order-changes';
import { ApiErrors } from '#web/api-errors';
import { HttpError } from '#web/http-error';
import { Audit, auditDetail, skipAudit } from '#accounts/audited';
import { ForStaff } from '#accounts/permission.guard';
import { callerOf, metadataOf, type StaffRequest } from '#accounts/staff-request';
import { noted } from '#orders/noted';

/** What carriers, mail servers, sources of transfers and the people at the door say about what was sent. */
@ApiTags('back office: tickets')
@Controller('backoffice/v1/delivery-reports')
@ForStaff(['orders:act'])
@SellerScope('shared')
export class DeliveryReportsController {
  constructor(
    private readonly pool: Pool,
    private readonly orders: OrderChanges,
    private readonly mails: MailSending,
    private readonly lookup: SellerLookup,
    private readonly view: TransferView,
  ) {}

  @Post()
  @Audit('delivery.reported', 'delivery')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'reportDelivery',
    summary: 'Report what became of tickets that were sent; the order moves, but never backwards',
  })
  @ApiOkResponse({ standardSchema: DeliveryReportOutcome })
  @ApiErrors(40000, 40001, 40100, 40300, 40400, 42201)
  async report(
    @Body({ schema: NewDeliveryReport }) body: NewDeliveryReport,
    @Req() request: StaffRequest,
  ): Promise<DeliveryReportOutcome> {
    await this.checkSeller(body, callerOf(request));
    if (kindOf(body) === 'bounced') return await this.bounced(body, request);
    const { order_id: id, tracking_number: trackingNumber } = body;
    const ids = id === undefined ? await this.withParcel(trackingNumber ?? '') : [id];
    if (ids.length === 0) throw HttpError.notFound('parcel');
    const command = this.commandOf(body);
    const orders: DeliveryReportOutcome['orders'] = [];
    for (const orderId of ids) {
      const { order, recorded } = await this.orders.apply(orderId, command, metadataOf(request));
      const moved = recorded && !isOnlyNoted(command, order);
      orders.push({ order_id: orderId, moved, status_code: order.status?.status_code ?? null });
    }
    return this.outcome(orders, { report: command.report, orders: ids }, request);
  }

  /** @throws HttpError if `at` is still to come */
  private commandOf(body: NewDeliveryReport): DeliveryReport {
    const { tracking_number: trackingNumber, seat, confirmation_number: confirmationNumber } = body;
    const at = this.view.past(body.at);
    const kind = kindOf(body);
    const timed = timedKind(kind);
    if (timed === undefined) {
      const report = DELIVERY_REPORTS.find((known) => known === kind) ?? 'confirmation_sent';
      const about = trackingNumber !== undefined && { trackingNumber };
      return { type: 'ReportDelivery', report, ...about, ...noted(body.note) };
    }
    return {
      type: 'ReportDelivery',
      report: timed,
      at,
      ...(seat !== undefined && { seat }),
      ...(confirmationNumber !== undefined && { confirmationNumber }),
      ...noted(body.note),
    };
  }

  /** Brokers report about their own orders, by the id only: a number of a parcel would tell them of others. */
  private async checkSeller(body: NewDeliveryReport, { sellers }: Caller): Promise<void> {
    if (!sellers) return;
    if (body.tracking_number !== undefined || body.message_id !== undefined) {
      throw HttpError.with(40300, 'report by order_id alone');
    }
    const order = await this.lookup.ofOrder(body.order_id ?? '');
    if (!order || !seesOrder(sellers, order)) throw HttpError.notFound('order');
  }

  private async bounced(
    { message_id: messageId = '', note }: NewDeliveryReport,
    request: StaffRequest,
  ): Promise<DeliveryReportOutcome> {
    const mailId = messageId.replaceAll(/^<|@.*$|>$/g, '');
    const bounced = await this.mails.bounced(mailId, note ?? undefined);
    if (!bounced) throw HttpError.notFound('e-mail');
    const { orderId, moved } = bounced;
    const { rows } = await this.pool.query<{ status_code: number | null }>(STATUS_CODE, [orderId]);
    auditDetail(request, { report: 'bounced', mail: mailId });
    return { orders: [{ order_id: orderId, moved, status_code: rows[0]?.status_code ?? null }], ignored: !moved };
  }

  private outcome(
    orders: DeliveryReportOutcome['orders'],
    detail: Readonly<Record<string, unknown>>,
    request: StaffRequest,
  ): DeliveryReportOutcome {
    const ignored = !orders.some(({ moved }) => moved);
    if (ignored) skipAudit(request);
    else auditDetail(request, detail);
    return { orders, ignored };
  }

  /** A parcel may have the tickets of several orders. */
  private async withParcel(trackingNumber: string): Promise<string[]> {
    const { rows } = await this.pool.query<{ id: string }>(WITH_PARCEL, [trackingNumber]);
    return rows.map(({ id }) => id);
  }
}

/** A refusal of an earlier barcode stands in the timeline, and changes nothing. */
function isOnlyNoted(command: DeliveryReport, { delivery }: KnownOrder): boolean {
  if (command.report !== 'barcode_refused') return false;
  return !delivery.barcodes.some(({ seat, state }) => seat === command.seat && state === 'refused');
}

// Nobody sends more in one parcel, and a number that is used again must not change a crowd of orders.
const WITH_PARCEL = 'select id from orders where tracking_number = $1 order by id desc limit 20';

const STATUS_CODE = 'select status_code from orders where id = $1';
