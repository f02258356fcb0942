import type { MoneyReport, OrdersReport } from '#desk/report.contract';
import type { ChartData } from '../charts/chart.js';
import { Figure } from '../charts/figure.js';
import { StackedBars } from '../charts/stacked-bars.js';
import { money as dollars, nameOfDay, number } from '../words/formats.js';
import { reportWords as words } from './report-words.js';
import { type Days, placedIn, placedOn } from './period.js';

// The first is at the bottom of the bars.
const STATUSES = ['confirmed', 'pending', 'exception', 'rejected'] as const;

type Figures = Readonly<Record<(typeof STATUSES)[number], number>>;
type ByDay = Readonly<{ rows: readonly (Figures & Readonly<{ day?: string | undefined }>)[]; totals: Figures }>;

type Props = Readonly<{ range: Days; orders: OrdersReport | undefined; money: MoneyReport | undefined }>;

/** Orders and money of each day by status. */
export function OrderCharts({ range, orders, money }: Props) {
  return (
    <>
      <StatusChart title={words.orders} range={range} report={orders} format={number} />
      <StatusChart title={words.money} range={range} report={money} format={dollars} axis={wholeDollars} />
    </>
  );
}

type ChartProps = Readonly<{
  title: string;
  range: Days;
  report: ByDay | undefined;
  format: (value: number) => string;
  axis?: (value: number) => string;
}>;

function StatusChart({ title, range, report, format, axis = format }: ChartProps) {
  const rows = new Map(report?.rows.map((row) => [row.day, row]));
  const data: ChartData = {
    format,
    isWhole: true,
    series: STATUSES.map((id) => ({
      id,
      name: words.status[id],
      tone: id,
      orders: placedIn(range, { status: id }),
    })),
    slots: range.days.map((day) => ({
      id: day,
      name: nameOfDay(day),
      orders: placedOn(day, range, { stage: 'placed' }),
      values: Object.fromEntries(STATUSES.map((id) => [id, rows.get(day)?.[id] ?? 0])),
    })),
  };
  return (
    <Figure
      {...data}
      title={title}
      slotName={words.day}
      totals={report?.totals ?? {}}
      empty={words.none}
      isEmpty={report !== undefined && report.rows.length === 0}
    >
      {(onPoint) => <StackedBars {...data} format={axis} onPoint={onPoint} />}
    </Figure>
  );
}

const short = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
});
const wholeDollars = (value: number) => short.format(value);
