import type { ChartData } from '../charts/chart.js';
import { Figure } from '../charts/figure.js';
import { Lines } from '../charts/lines.js';
import type { Balances } from '../api/money.js';
import { dateText, money } from '../words/formats.js';
import { type SeriesId, seriesValue } from './balance-points.js';
import { moneyWords } from './money-words.js';

const words = moneyWords.balances;

/** The balances at an instant, ISO 8601; null is now. Undefined until they are known. */
type Place = Readonly<{ at: string | null; balances: Balances | undefined }>;

type Props = Readonly<{ currency: string; places: readonly Place[] }>;

const HELD = [
  { id: 'providers', tone: 'accent' },
  { id: 'bank', tone: 'confirmed' },
  { id: 'sellers', tone: 'pending' },
  { id: 'clients', tone: 'faint' },
  { id: 'disputes', tone: 'exception' },
] as const;

const KEPT = [
  { id: 'earned', tone: 'confirmed' },
  { id: 'tax', tone: 'faint' },
  { id: 'provider_fees', tone: 'pending' },
  { id: 'losses', tone: 'exception' },
] as const;

/** Where the money is and to whom it belongs, and what stays here. */
export function BalanceCharts({ currency, places }: Props) {
  return (
    <div className="chart-grid">
      <BalanceChart title={words.held} series={HELD} currency={currency} places={places} />
      <BalanceChart title={words.kept} series={KEPT} currency={currency} places={places} />
    </div>
  );
}

type ChartProps = Props &
  Readonly<{ title: string; series: readonly Readonly<{ id: SeriesId; tone: ChartData['series'][number]['tone'] }>[] }>;

function BalanceChart({ title, series, currency, places }: ChartProps) {
  const valuesOf = (balances: Balances | undefined) =>
    Object.fromEntries(series.map(({ id }) => [id, balances ? seriesValue(id, balances, currency) : null]));
  const slots = places.map(({ at, balances }) => ({
    id: at ?? 'now',
    name: at === null ? words.now : dateText(at),
    values: valuesOf(balances),
  }));
  // Lines at 0 would only lie on each other.
  const moved = series.filter(({ id }, index) => index === 0 || slots.some(({ values }) => (values[id] ?? 0) !== 0));
  const data: ChartData = {
    format: (value) => money(value, currency),
    series: moved.map(({ id, tone }) => ({ id, tone, name: words.series[id] })),
    slots,
  };
  const last = places.at(-1)?.balances;
  return (
    <Figure
      {...data}
      title={title}
      hint={words.chartHint}
      slotName={words.time}
      totals={valuesOf(last)}
      empty={words.none}
      isEmpty={last?.length === 0}
    >
      {(onPoint) => <Lines {...data} format={short(currency)} onPoint={onPoint} />}
    </Figure>
  );
}

/** For an axis: `$1.2K`. */
function short(currency: string): (value: number) => string {
  const format = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    notation: 'compact',
    maximumFractionDigits: 1,
  });
  return (value) => format.format(value);
}
