import type { RenderedMail } from '#mail/mail-page';
import type { MoneyReport, OrdersReport, RefusalsReport, SellersReport, TimesReport } from '../report.contract.js';
import { reportMail } from './report-mail-text.js';
import { periodUntil } from './report-period.js';

const ORDERS: OrdersReport['totals'] = {
  orders: 42,
  tickets: 96,
  pending: 3,
  confirmed: 34,
  rejected: 4,
  exception: 1,
};
const MONEY: MoneyReport['totals'] = {
  orders: 42,
  total: 10_693.2,
  pending: 763.8,
  confirmed: 8_656.4,
  rejected: 1_018.4,
  exception: 254.6,
  refunded: 509.2,
};
const REFUSALS: RefusalsReport['totals'] = { orders: 4, tickets: 9, total: 1_018.4 };
const TIMES: TimesReport['totals'] = {
  orders: 42,
  automatic: 20,
  confirmed: 14,
  confirm_avg_s: 540,
  confirm_p50_s: 300,
  confirm_p90_s: 1_500,
  shipped: 25,
  ship_avg_s: 28_800,
  ship_p50_s: 21_600,
  ship_p90_s: 86_400,
};
const SELLERS: SellersReport['totals'] = {
  ...ORDERS,
  total: 10_693.2,
  not_answered: 1,
  rejected_rate: 0.1,
  faults: 3,
  fault_rate: 0.07,
  confirm_p50_s: 300,
  ship_p50_s: 21_600,
  shipped: 25,
  shipping_accuracy: 0.98,
  unfulfilled: 9,
  exposure: 2_291.4,
  late: 1,
  declined: 1,
  expired: 0,
  refused: 1,
  speculative_not_delivered: 2,
  earned: 7_560,
  refunded: 180,
  paid: 5_000,
  owed: 2_380,
};
const REFUSAL = {
  reason: 'rejected',
  status_code: 3004,
  status_message: 'Tickets not available - broker denies',
} as const;

/** The report of a day on which nobody bought. */
export function reportMailSample(publicUrl: string): RenderedMail {
  return reportMail({
    period: periodUntil('daily', Date.parse('2027-05-15T00:00:00Z')),
    figures: {
      orders: { rows: [], totals: ORDERS },
      money: { rows: [], totals: MONEY },
      refusals: { rows: [{ ...REFUSAL, ...REFUSALS }], totals: REFUSALS },
      times: { rows: [], totals: TIMES },
      sellers: { rows: [{ seller: 'Front Row', ...SELLERS }], totals: SELLERS },
    },
    isOfSomeSellers: false,
    page: `${publicUrl}/reports`,
    unsubscribe: `${publicUrl}/reports`,
  });
}
