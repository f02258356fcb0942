import type { TimesReport } from '#desk/report.contract';
import type { ChartData } from '../charts/chart.js';
import { Figure } from '../charts/figure.js';
import { Lines } from '../charts/lines.js';
import { durationIn, durationText, durationUnit } from '../words/durations.js';
import { nameOfDay } from '../words/formats.js';
import { reportWords as words } from './report-words.js';
import { type Days, placedOn } from './period.js';

type Props = Readonly<{ range: Days; times: TimesReport | undefined }>;

/** How long orders of each day waited for a person, and then for their tickets. */
export function TimeCharts({ range, times }: Props) {
  return (
    <>
      <TimeChart title={words.confirmTimes} hint={words.confirmHint} of="confirm" range={range} times={times} />
      <TimeChart title={words.shipTimes} hint={words.shipHint} of="ship" range={range} times={times} />
    </>
  );
}

function TimeChart({
  title,
  hint,
  of,
  range,
  times,
}: Props & Readonly<{ title: string; hint: string; of: 'confirm' | 'ship' }>) {
  const [median, p90] = [`${of}_p50_s`, `${of}_p90_s`] as const;
  const rows = new Map(times?.rows.map((row) => [row.day, row]));
  const longest = Math.max(0, ...(times?.rows.map((row) => row[p90] ?? 0) ?? []));
  const unit = durationUnit(longest);
  const data: ChartData = {
    format: durationText,
    unit,
    series: [
      { id: 'median', name: words.median, tone: 'accent' },
      { id: 'p90', name: words.p90, tone: 'faint' },
    ],
    slots: range.days.map((day) => ({
      id: day,
      name: nameOfDay(day),
      orders: placedOn(day, range, { stage: 'placed' }),
      values: { median: rows.get(day)?.[median] ?? null, p90: rows.get(day)?.[p90] ?? null },
    })),
  };
  const totals = { median: times?.totals[median] ?? null, p90: times?.totals[p90] ?? null };
  return (
    <Figure
      {...data}
      title={title}
      hint={hint}
      slotName={words.day}
      totals={totals}
      empty={words.noTimes}
      isEmpty={times !== undefined && totals.median === null}
    >
      {(onPoint) => <Lines {...data} format={durationIn(unit)} onPoint={onPoint} />}
    </Figure>
  );
}
