import { Inject, Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import { Pool } from 'pg';
import { DatabaseClock } from '#database/database-clock';
import type { Clock } from '#base/clock';
import { attemptsByMinute, COUNTED_UNTIL } from '../delivery-minutes.js';
import { BOUNDS, BUCKETS, percentile } from './duration-buckets.js';

/** One step. Times are ISO 8601, UTC. */
export type DeliveryPoint = Readonly<{
  at: string;
  attempts: number;
  delivered: number;
  /** Estimated to a quarter. Null without attempts. */
  p50_ms: number | null;
  p99_ms: number | null;
  /** The most that waited, was parked, and for how long the oldest waited. Null if no worker looked. */
  pending: number | null;
  parked: number | null;
  oldest_s: number | null;
}>;

export type EndpointHistory = Readonly<{
  /** `platform`, or the id of a webhook. */
  endpoint: string;
  /** Oldest first, without steps that have no data. */
  points: DeliveryPoint[];
}>;

/** The default is the last day. */
export type HistoryPeriod = Readonly<{ from?: string | undefined; to?: string | undefined }>;

export const MOST_HISTORY_DAYS = 93;

const DAY_MS = 86_400_000;
const MOST_POINTS = 96;
/** In seconds, each a part of the next. */
const STEPS = [60, 300, 900, 3_600, 21_600, 86_400];

// Purchases need the connections more.
const AT_ONCE = 2;

/** How pings and webhooks went over time: what the worker counted each minute, and the attempts since. */
@Injectable()
export class DeliveryHistory {
  private readonly limit = pLimit(AT_ONCE);

  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /** Undefined if the period is too long, or ends before it begins. */
  async read(period: HistoryPeriod): Promise<{ step_seconds: number; endpoints: EndpointHistory[] } | undefined> {
    const to = period.to === undefined ? this.clock.now() : Date.parse(period.to);
    const from = period.from === undefined ? to - DAY_MS : Date.parse(period.from);
    if (from >= to || to - from > MOST_HISTORY_DAYS * DAY_MS) return undefined;
    const step = STEPS.find((seconds) => (to - from) / 1_000 / seconds <= MOST_POINTS) ?? DAY_MS / 1_000;
    const values = [new Date(from), new Date(to), step, BOUNDS];
    const { rows } = await this.limit(() => this.pool.query<Row>(HISTORY, values));
    const points = new Map<string, DeliveryPoint[]>([['platform', []]]);
    for (const { endpoint, ...row } of rows) {
      const known = points.get(endpoint) ?? [];
      if (row.at !== null) known.push(pointOf({ ...row, at: row.at }));
      points.set(endpoint, known);
    }
    return {
      step_seconds: step,
      endpoints: [...points].map(([endpoint, all]) => ({ endpoint, points: all })),
    };
  }
}

type Figures = Omit<DeliveryPoint, 'at' | 'p50_ms' | 'p99_ms'> & Readonly<{ at: Date; durations: readonly number[] }>;
type Row = Omit<Figures, 'at'> & Readonly<{ endpoint: string; at: Date | null }>;

function pointOf({ at, durations, attempts, delivered, pending, parked, oldest_s }: Figures): DeliveryPoint {
  const [p50_ms, p99_ms] = [percentile(durations, 0.5), percentile(durations, 0.99)];
  return { at: at.toISOString(), attempts, delivered, p50_ms, p99_ms, pending, parked, oldest_s };
}

const SUMS = Array.from({ length: BUCKETS }, (_, index) => `coalesce(sum(durations[${index + 1}]), 0)`).join();

// $1 and $2 the time, whose first minute counts as a whole, $3 the step in seconds, $4 the bounds of the buckets.
const HISTORY = `
  with minutes as (
    select endpoint, minute, attempts, delivered, durations, pending, parked, oldest_s from delivery_minutes
    where minute >= date_trunc('minute', $1::timestamptz) and minute < $2
    union all
    select endpoint, minute, attempts, delivered, durations, null, null, null from (${attemptsByMinute({
      from: `greatest(date_trunc('minute', $1::timestamptz), ${COUNTED_UNTIL})`,
      to: '$2',
      bounds: '$4',
    })}) as uncounted),
  steps as (
    select endpoint, date_bin(make_interval(secs => $3), minute, timestamptz 'epoch') as at,
      coalesce(sum(attempts), 0)::int as attempts, coalesce(sum(delivered), 0)::int as delivered,
      array[${SUMS}]::int[] as durations,
      max(pending) as pending, max(parked) as parked, max(oldest_s) as oldest_s
    from minutes group by 1, 2)
  select known.endpoint, at, attempts, delivered, durations, pending, parked, oldest_s
  from (select 'platform' as endpoint, '-infinity'::timestamptz as created_at union all select id, created_at from webhooks) as known
  left join steps on steps.endpoint = known.endpoint
  order by created_at, known.endpoint, at`;
