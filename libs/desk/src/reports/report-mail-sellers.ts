import type { SellersReport } from '../report.contract.js';
import { count, dollars, duration, percent } from './report-mail-formats.js';

// The page has all of them.
const MOST_ROWS = 10;
const LONGEST_NAME = 30;

type Figures = SellersReport['totals'];

/** A scorecard of sellers that fits into an e-mail: those with most faults first, then those that have most to send. */
export function sellerTable({ rows, totals }: SellersReport) {
  const worst = rows.toSorted(
    (one, other) => other.faults - one.faults || other.exposure - one.exposure || other.orders - one.orders,
  );
  const shown = worst
    .slice(0, MOST_ROWS)
    .map(({ seller, ...figures }) => rowOf(seller === null ? 'No seller' : shortened(seller), figures));
  const isCut = rows.length > MOST_ROWS;
  return {
    title: isCut ? `Sellers: the ${MOST_ROWS} with most faults of ${count(rows.length)}` : 'Sellers',
    columns: ['', 'Orders', 'Faults', 'Response time', 'Shipping accuracy', 'Not sent yet', 'Amount not sent'],
    rows: rows.length > 1 ? [...shown, rowOf('All sellers', totals)] : shown,
  };
}

function rowOf(name: string, figures: Figures): string[] {
  const { orders, faults, fault_rate: rate } = figures;
  return [
    name,
    count(orders),
    faults === 0 ? '0' : `${count(faults)} (${percent(rate)})`,
    duration(figures.confirm_p50_s),
    percent(figures.shipping_accuracy),
    count(figures.unfulfilled),
    dollars(figures.exposure),
  ];
}

function shortened(name: string): string {
  const signs = Array.from(name);
  return signs.length > LONGEST_NAME ? `${signs.slice(0, LONGEST_NAME - 1).join('')}…` : name;
}
