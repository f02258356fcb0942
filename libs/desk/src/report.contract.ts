import { z } from 'zod';
import { ByteOrderMark } from '#web/byte-order-mark.contract';
import { instant, periodEnd } from '#web/instant.contract';
import { TimeZone } from '#web/time-zone.contract';

export const REPORTS = ['orders', 'money', 'refusals', 'times', 'sellers'] as const;
export type ReportName = (typeof REPORTS)[number];

/** What one row of a report stands for. */
export const REPORT_GROUPS = ['day', 'event', 'seller', 'client'] as const;
export type ReportGroup = (typeof REPORT_GROUPS)[number];

/** Query of GET /backoffice/v1/reports/{report}. */
export const ReportQuery = z.strictObject({
  from: instant.optional().meta({ description: 'inclusive. Without it: 30 days before `to`' }),
  to: periodEnd
    .optional()
    .meta({ description: 'exclusive, but a day without a time includes that whole day (UTC). Without it: now' }),
  by: z
    .enum(REPORT_GROUPS)
    .optional()
    .meta({ description: 'what one row stands for: by default a day, in the report `sellers` a seller' }),
  time_zone: TimeZone.optional().meta({ description: 'whose days the rows by day are: by default `UTC`' }),
  bom: ByteOrderMark,
});
export type ReportQuery = z.output<typeof ReportQuery>;

const count = z.int().min(0);
const dollars = z.number().meta({ description: 'US dollars' });
const share = z.number().nullable();
const owed = z.number().nullable();
const seconds = z.number().nullable().meta({ description: 'seconds; null without orders to measure' });

/** The orders of one row by the status that they have now. */
const OrderFigures = z.object({
  orders: count,
  tickets: count,
  pending: count,
  confirmed: count,
  rejected: count,
  exception: count,
});

/** What the orders of one row cost the buyers, by the status that the orders have now. */
const MoneyFigures = z.object({
  orders: count,
  total: dollars,
  pending: dollars,
  confirmed: dollars,
  rejected: dollars,
  exception: dollars,
  refunded: dollars.meta({ description: 'US dollars; the part of `rejected` that was given back after it was taken' }),
});

const RefusalFigures = z.object({ orders: count, tickets: count, total: dollars });

/** Why: a code of the status catalogue, or a payment that was not taken. */
const Refusal = z.object({
  reason: z.enum(['rejected', 'declined', 'failed']).meta({
    description: 'declined, failed: the purchase never became an order, because the payment was not taken',
  }),
  status_code: z.int().nullable(),
  status_message: z.string().nullable(),
});

const TimeFigures = z.object({
  orders: count,
  automatic: count.meta({ description: 'orders that were confirmed at once' }),
  confirmed: count.meta({ description: 'orders that were confirmed after they had waited; the next three are theirs' }),
  confirm_avg_s: seconds,
  confirm_p50_s: seconds,
  confirm_p90_s: seconds,
  shipped: count.meta({
    description: 'orders whose tickets were sent, by post or not; the next three count from the confirmation',
  }),
  ship_avg_s: seconds,
  ship_p50_s: seconds,
  ship_p90_s: seconds,
});

const SellerFigures = z.object({
  orders: count,
  tickets: count,
  total: dollars,
  pending: count,
  confirmed: count,
  rejected: count,
  exception: count,
  not_answered: count.meta({ description: 'the part of `rejected` where the broker did not answer in time' }),
  rejected_rate: share.meta({ description: 'rejected / orders, 0 to 1' }),
  faults: count.meta({
    description:
      'orders with something that the seller is to blame for: not available, denied, not answered in time, other tickets offered, ' +
      'shipping failed, customer denied entry',
  }),
  fault_rate: share.meta({ description: 'faults / orders, 0 to 1' }),
  confirm_p50_s: seconds,
  ship_p50_s: seconds,
  shipped: count.meta({ description: 'orders whose tickets were sent, by post or not' }),
  shipping_accuracy: share.meta({
    description: 'the part of `shipped` whose shipping did not fail, and whose customer was not denied entry, 0 to 1',
  }),
  unfulfilled: count.meta({ description: 'orders that are confirmed now, but whose tickets were not sent yet' }),
  exposure: dollars.meta({ description: 'US dollars; what the `unfulfilled` orders cost the buyers' }),
  late: count.meta({ description: 'orders that are overdue now' }),
  declined: count.meta({ description: 'orders whose buyer declined a transfer' }),
  expired: count.meta({ description: 'orders with a transfer that expired' }),
  refused: count.meta({ description: 'orders with a barcode that was refused at the door' }),
  speculative_not_delivered: count.meta({
    description: 'confirmed orders of speculative listings whose tickets were not delivered yet',
  }),
  earned: owed.meta({
    description: 'what these orders have earned the seller; null while the ledger is filled after an upgrade',
  }),
  refunded: owed.meta({ description: 'the part of `earned` that was refunded at the expense of the seller' }),
  paid: owed.meta({
    description:
      'payments to the seller that were recorded in the period; null unless a row stands for a seller. In `totals`: to all sellers',
  }),
  owed: owed.meta({
    description: 'what the seller is owed now, by all orders and payments; null like `paid`',
  }),
});

/** What a row is about: the field that `by` asks for, with a name beside an id. */
const Key = z.object({
  day: z.iso.date().optional().meta({ description: 'the day of `time_zone` on which the orders were placed' }),
  event_id: z.string().optional(),
  seller: z.string().nullable().optional(),
  client_id: z.string().optional(),
  name: z
    .string()
    .nullable()
    .optional()
    .meta({ description: 'title of the event, or name of the client; null if it is unknown' }),
});

const report = <Row extends z.ZodRawShape, Totals extends z.ZodRawShape>(
  id: string,
  row: z.ZodObject<Row>,
  totals: z.ZodObject<Totals>,
) => z.object({ rows: z.array(Key.extend(row.shape)), totals }).meta({ id });

export const OrdersReport = report('OrdersReport', OrderFigures, OrderFigures);
export type OrdersReport = z.infer<typeof OrdersReport>;
export const MoneyReport = report('MoneyReport', MoneyFigures, MoneyFigures);
export type MoneyReport = z.infer<typeof MoneyReport>;
export const RefusalsReport = report('RefusalsReport', Refusal.extend(RefusalFigures.shape), RefusalFigures);
export type RefusalsReport = z.infer<typeof RefusalsReport>;
export const TimesReport = report('TimesReport', TimeFigures, TimeFigures);
export type TimesReport = z.infer<typeof TimesReport>;
export const SellersReport = report(
  'SellersReport',
  z.object({ seller: z.string().nullable() }).extend(SellerFigures.shape),
  SellerFigures,
);
export type SellersReport = z.infer<typeof SellersReport>;

/** The answer depends on the report that the path names. */
export const Report = z.union([OrdersReport, MoneyReport, RefusalsReport, TimesReport, SellersReport]);
export type Report = z.infer<typeof Report>;
