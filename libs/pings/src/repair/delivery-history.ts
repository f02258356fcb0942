import { Inject, Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import { Pool } from 'pg';
import { DatabaseClock } from '#database/database-clock';
import type { Clock } from '#runtime/clock';

/** The attempts of one step. Times are ISO 8601, UTC. */
export type DeliveryPoint = Readonly<{
  at: string;
  attempts: number;
  delivered: number;
  p50_ms: number;
  p99_ms: number;
}>;

export type EndpointHistory = Readonly<{
  /** `platform`, or the id of a webhook. */
  endpoint: string;
  /** Oldest first, without those that have no attempts. */
  points: DeliveryPoint[];
}>;

/** The default is the last day. */
export type HistoryPeriod = Readonly<{ from?: string | undefined; to?: string | undefined }>;

export const MOST_HISTORY_DAYS = 31;

const DAY_MS = 86_400_000;
const MOST_POINTS = 96;
/** In seconds, each a part of the next. */
const STEPS = [60, 300, 900, 3_600, 21_600, 86_400];

// A day at the rate of a large sale is millions of attempts; purchases need the connections more.
const AT_ONCE = 2;

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
    const { rows } = await this.limit(() => this.pool.query<Row>(HISTORY, [new Date(from), new Date(to), step]));
    const points = new Map<string, DeliveryPoint[]>([['platform', []]]);
    for (const { endpoint, at, attempts, delivered, p50_ms, p99_ms } of rows) {
      const known = points.get(endpoint) ?? [];
      if (at !== null) known.push({ at: at.toISOString(), attempts, delivered, p50_ms, p99_ms });
      points.set(endpoint, known);
    }
    return {
      step_seconds: step,
      endpoints: [...points].map(([endpoint, all]) => ({ endpoint, points: all })),
    };
  }
}

type Row = Omit<DeliveryPoint, 'at'> & { endpoint: string; at: Date | null };

const FIGURES = `date_bin(make_interval(secs => $3), started_at, timestamptz 'epoch') as at,
  count(*)::int as attempts, count(*) filter (where error is null)::int as delivered,
  percentile_disc(0.5) within group (order by duration_ms) as p50_ms,
  percentile_disc(0.99) within group (order by duration_ms) as p99_ms`;

// A webhook without attempts has one row of nulls.
const HISTORY = `
  with hooks as (
    select webhook_id, ${FIGURES} from webhook_attempts where started_at >= $1 and started_at < $2 group by webhook_id, at),
  platform as (
    select ${FIGURES} from ping_attempts where started_at >= $1 and started_at < $2 group by at)
  select 'platform' as endpoint, at, attempts, delivered, p50_ms, p99_ms, '-infinity'::timestamptz as created_at from platform
  union all
  select id, at, attempts, delivered, p50_ms, p99_ms, created_at from webhooks left join hooks on webhook_id = id
  order by created_at, endpoint, at`;
