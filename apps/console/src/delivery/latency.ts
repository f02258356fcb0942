import type { ChartData } from '../charts/chart.js';
import { deliveryWords as words } from './delivery-words.js';
import { milliseconds } from './endpoint-table.js';

/** How long an endpoint takes to answer. */
export const LATENCY: Omit<ChartData, 'slots'> = {
  format: milliseconds,
  series: [
    { id: 'p50', name: words.column.p50, tone: 'accent' },
    { id: 'p99', name: words.column.p99, tone: 'faint' },
  ],
};

/** Short enough for an axis. */
export const shortTime = (ms: number) => (ms >= 1_000 ? `${ms / 1_000} s` : `${ms} ms`);
