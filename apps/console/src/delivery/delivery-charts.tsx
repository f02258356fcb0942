import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ask } from '../api/http.js';
import type { ChartData } from '../charts/chart.js';
import { Figure } from '../charts/figure.js';
import { Lines } from '../charts/lines.js';
import { StackedBars } from '../charts/stacked-bars.js';
import { Failure } from '../frame/failure.js';
import { useNow } from '../frame/now.js';
import { Segments } from '../frame/segments.js';
import { Stale } from '../frame/stale.js';
import { deliveryWords as words } from './delivery-words.js';
import { durationIn, durationText, durationUnit } from '../words/durations.js';
import { number } from '../words/formats.js';
import { historySlots, historyTotals } from './history-slots.js';
import { LATENCY, shortTime } from './latency.js';
import { inTimeZone } from '../words/time-zone.js';

export const HOURS = ['1', '24', '168'] as const;
export type Hours = (typeof HOURS)[number];

type Props = Readonly<{
  endpoint: string;
  name: string;
  hours: Hours;
  searchOf: (hours: string) => Readonly<Record<string, string>>;
}>;

const HOUR_MS = 3_600_000;
const EVERY_MS = 15_000;

type Measures = Omit<ChartData, 'slots'>;

const ATTEMPTS: Measures = {
  format: number,
  isWhole: true,
  series: [
    { id: 'delivered', name: words.delivered, tone: 'confirmed' },
    { id: 'failed', name: words.failed, tone: 'exception' },
  ],
};

const BACKLOG: Measures = {
  format: number,
  isWhole: true,
  series: [
    { id: 'pending', name: words.column.pending, tone: 'pending' },
    { id: 'parked', name: words.column.parked, tone: 'exception' },
  ],
};

const OLDEST: Measures = {
  format: durationText,
  series: [{ id: 'oldest', name: words.column.oldest, tone: 'accent' }],
};

/** How an endpoint answered over time, and what waited for it. */
export function DeliveryCharts({ endpoint, name, hours, searchOf }: Props) {
  const now = useNow(EVERY_MS);
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ['delivery-history', hours],
    queryFn: ({ signal }) => ask('GET delivery/history', { query: { from: startOf(hours) }, signal }),
    refetchInterval: EVERY_MS,
    placeholderData: keepPreviousData,
  });
  const points = data?.endpoints.find((one) => one.endpoint === endpoint)?.points;
  const slots = useMemo(() => {
    if (!data) return [];
    const from = now - Number(hours) * HOUR_MS;
    return historySlots(points ?? [], { stepMs: data.step_seconds * 1_000, from, to: now, nameOf: nameIn(hours) });
  }, [data, points, hours, now]);
  const totals = historyTotals(points ?? []);
  const shared = { slots, slotName: words.time, totals };
  const isSilent = data !== undefined && totals['success'] === null;
  const isUnknown = data !== undefined && totals['pending'] === null;
  const unit = durationUnit(Math.max(0, ...slots.map(({ values }) => values['oldest'] ?? 0)));
  return (
    <section className="section">
      <div className="row">
        <h2>{words.overTime}</h2>
        <span className="soft small">{name}</span>
        <div className="grow" />
        <Segments
          label={words.period}
          options={HOURS.map((id) => ({ id, name: words.periods[id] }))}
          chosen={hours}
          searchOf={searchOf}
        />
      </div>
      {error && <Failure error={error} retry={() => void refetch()} />}
      <Stale when={isPlaceholderData} className="chart-grid">
        <Figure {...ATTEMPTS} {...shared} title={words.attempts} empty={words.noAttempts} isEmpty={isSilent}>
          {(onPoint) => <StackedBars {...ATTEMPTS} slots={slots} onPoint={onPoint} />}
        </Figure>
        <Figure
          {...LATENCY}
          {...shared}
          title={words.latency}
          hint={words.latencyHint}
          empty={words.noAttempts}
          isEmpty={isSilent}
        >
          {(onPoint) => <Lines {...LATENCY} slots={slots} format={shortTime} onPoint={onPoint} />}
        </Figure>
        <Figure
          {...BACKLOG}
          {...shared}
          title={words.backlog}
          hint={words.backlogHint}
          empty={words.noBacklog}
          isEmpty={isUnknown}
        >
          {(onPoint) => <Lines {...BACKLOG} slots={slots} onPoint={onPoint} />}
        </Figure>
        <Figure
          {...OLDEST}
          {...shared}
          title={words.oldest}
          hint={words.oldestHint}
          empty={words.noBacklog}
          isEmpty={isUnknown}
        >
          {(onPoint) => <Lines {...OLDEST} slots={slots} unit={unit} format={durationIn(unit)} onPoint={onPoint} />}
        </Figure>
      </Stale>
    </section>
  );
}

const startOf = (hours: Hours) => new Date(Date.now() - Number(hours) * HOUR_MS).toISOString();

const clock = new Intl.DateTimeFormat('en-GB', { ...inTimeZone, hour: '2-digit', minute: '2-digit' });
const dayAndHour = new Intl.DateTimeFormat('en-GB', { ...inTimeZone, day: 'numeric', month: 'short', hour: '2-digit' });

const nameIn = (hours: Hours) => (at: Date) => (Number(hours) <= 24 ? clock : dayAndHour).format(at);
