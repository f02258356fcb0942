import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { DeliveryHistoryReport } from '#contracts/backoffice/delivery';
import { ask } from '../api/http.js';
import type { ChartData, Slot } from '../charts/chart.js';
import { Figure } from '../charts/figure.js';
import { Lines } from '../charts/lines.js';
import { StackedBars } from '../charts/stacked-bars.js';
import { Failure } from '../frame/failure.js';
import { useNow } from '../frame/now.js';
import { Segments } from '../frame/segments.js';
import { deliveryWords as words } from '../words/delivery.js';
import { number } from '../words/formats.js';
import { milliseconds } from './endpoint-table.js';

export const HOURS = ['1', '24', '168'] as const;
export type Hours = (typeof HOURS)[number];

type Point = DeliveryHistoryReport['endpoints'][number]['points'][number];

type Props = Readonly<{
  endpoint: string;
  name: string;
  hours: Hours;
  searchOf: (hours: string) => Readonly<Record<string, string>>;
}>;

const HOUR_MS = 3_600_000;
const EVERY_MS = 15_000;

/** How an endpoint answered over time. */
export function DeliveryCharts({ endpoint, name, hours, searchOf }: Props) {
  const now = useNow(EVERY_MS);
  const { data, error, refetch } = useQuery({
    queryKey: ['delivery-history', hours],
    queryFn: ({ signal }) => ask<DeliveryHistoryReport>(`delivery/history?from=${startOf(hours)}`, { signal }),
    refetchInterval: EVERY_MS,
    placeholderData: keepPreviousData,
  });
  const points = data?.endpoints.find((one) => one.endpoint === endpoint)?.points;
  const slots = useMemo(
    () => (data ? slotsOf(points ?? [], data.step_seconds * 1_000, Number(hours), now) : []),
    [data, points, hours, now],
  );
  const sums = (points ?? []).reduce(
    (sum, { attempts, delivered }) => ({
      delivered: sum.delivered + delivered,
      failed: sum.failed + attempts - delivered,
    }),
    { delivered: 0, failed: 0 },
  );
  const isEmpty = data !== undefined && (points ?? []).length === 0;
  const shared = { slots, slotName: words.time, empty: words.noAttempts, isEmpty };
  const attempts: ChartData = {
    slots,
    format: number,
    series: [
      { id: 'delivered', name: words.delivered, tone: 'confirmed' },
      { id: 'failed', name: words.failed, tone: 'exception' },
    ],
  };
  const latency: ChartData = {
    slots,
    format: milliseconds,
    series: [
      { id: 'p50', name: words.column.p50, tone: 'accent' },
      { id: 'p99', name: words.column.p99, tone: 'faint' },
    ],
  };
  const last = points?.at(-1);
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
      <div className="chart-grid">
        <Figure {...attempts} {...shared} title={words.attempts} totals={sums}>
          {(onPoint) => <StackedBars {...attempts} onPoint={onPoint} />}
        </Figure>
        <Figure
          {...latency}
          {...shared}
          title={words.latency}
          hint={words.latencyHint}
          totals={{ p50: last?.p50_ms ?? null, p99: last?.p99_ms ?? null }}
        >
          {(onPoint) => <Lines {...latency} format={shortTime} onPoint={onPoint} />}
        </Figure>
      </div>
    </section>
  );
}

const startOf = (hours: Hours) => encodeURIComponent(new Date(Date.now() - Number(hours) * HOUR_MS).toISOString());

/** Short enough for an axis. */
const shortTime = (ms: number) => (ms >= 1_000 ? `${ms / 1_000} s` : `${ms} ms`);

/** Every step of the period, even without an attempt. */
function slotsOf(points: readonly Point[], stepMs: number, hours: number, now: number): Slot[] {
  const known = new Map(points.map((point) => [Date.parse(point.at), point]));
  const last = Math.max(Math.floor(now / stepMs) * stepMs, ...known.keys());
  const count = Math.floor((hours * HOUR_MS) / stepMs);
  return Array.from({ length: count }, (_, index) => {
    const at = last - (count - 1 - index) * stepMs;
    const point = known.get(at);
    return {
      id: String(at),
      name: nameOf(new Date(at), hours),
      values: {
        delivered: point?.delivered ?? 0,
        failed: point ? point.attempts - point.delivered : 0,
        p50: point?.p50_ms ?? null,
        p99: point?.p99_ms ?? null,
      },
    };
  });
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const dayAndHour = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit' });

const nameOf = (at: Date, hours: number) => (hours <= 24 ? clock : dayAndHour).format(at);
