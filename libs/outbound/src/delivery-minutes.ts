import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Settings } from '#base/settings';
import { DatabaseClock } from '#database/database-clock';
import type { Clock } from '#base/clock';
import { BOUNDS, BUCKETS } from './replays/duration-buckets.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

// An attempt belongs to the minute in which it began, and is written when it ends. Later ones are not counted.
const WRITTEN_WITHIN_MS = 30_000;

// After an upgrade or an outage there may be much to count. The next run goes on, so a shutdown need not wait for it.
const LONGEST_RUN_MS = 10_000;

type MinuteSettings = Pick<Settings, 'PING_TIMEOUT_MS' | 'DELIVERY_HISTORY_DAYS'>;

/** Keeps what waited and how attempts went in each minute, so that charts need not read all attempts. Workers may do the same work. */
@Injectable()
export class DeliveryMinutes {
  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    @Inject(Settings) private readonly settings: MinuteSettings,
  ) {}

  async run(): Promise<void> {
    const now = this.clock.now();
    await this.pool.query(WRITE_BACKLOG, [new Date(now)]);
    await this.countAttempts(now);
    await this.pool.query(PRUNE, [new Date(now - this.settings.DELIVERY_HISTORY_DAYS * DAY_MS)]);
  }

  private async countAttempts(now: number): Promise<void> {
    const end = minuteOf(now - this.settings.PING_TIMEOUT_MS - WRITTEN_WITHIN_MS);
    const { rows } = await this.pool.query<{ until: Date | null; first: Date | null }>(COUNTED);
    const { until, first } = rows[0] ?? {};
    const uncounted = until?.getTime() ?? minuteOf(first?.getTime() ?? end - MINUTE_MS);
    let from = Math.max(uncounted, minuteOf(now - this.settings.DELIVERY_HISTORY_DAYS * DAY_MS));
    for (; from < end && this.clock.now() - now < LONGEST_RUN_MS; from += HOUR_MS) {
      const to = Math.min(from + HOUR_MS, end);
      await this.pool.query(WRITE_ATTEMPTS, [new Date(from), new Date(to), BOUNDS]);
    }
  }
}

const minuteOf = (at: number): number => Math.floor(at / MINUTE_MS) * MINUTE_MS;

/** SQL for the end of the last minute whose attempts were counted. */
export const COUNTED_UNTIL = `(select max(minute) + interval '1 minute' from delivery_minutes where attempts is not null)`;

const COUNTED = `select ${COUNTED_UNTIL} as until, (select min(started_at) from ping_attempts) as first`;

/** SQL for the attempts of each minute and endpoint. `$bounds` are the bounds of the buckets. */
export function attemptsByMinute({ from, to, bounds }: Readonly<{ from: string; to: string; bounds: string }>): string {
  const counts = Array.from({ length: BUCKETS }, (_, bucket) => `count(*) filter (where bucket = ${bucket})`);
  const counted = (endpoint: string, table: string) => `
    select date_trunc('minute', started_at) as minute, ${endpoint} as endpoint, count(*)::int as attempts,
      count(*) filter (where error is null)::int as delivered, array[${counts.join()}]::int[] as durations
    from (select *, width_bucket(duration_ms, ${bounds}::int[]) as bucket from ${table}
      where started_at >= ${from} and started_at < ${to}) as made
    group by 1, 2`;
  return `${counted(`'platform'::text`, 'ping_attempts')} union all ${counted('webhook_id', 'webhook_attempts')}`;
}

// The first look of a minute counts. A webhook for which nothing waits needs no row.
const WRITE_BACKLOG = `
  insert into delivery_minutes (minute, endpoint, pending, parked, oldest_s)
  select date_trunc('minute', $1::timestamptz), endpoint, pending, parked,
    greatest(0, extract(epoch from $1::timestamptz - oldest))::int
  from (
    select 'platform' as endpoint,
      (select count(*)::int from pings where state = 'pending') as pending,
      (select count(*)::int from pings where state = 'parked') as parked,
      (select min(due_since) from pings where state = 'pending') as oldest
    union all
    select webhook_id, sum(pending)::int, sum(parked)::int, min(oldest) from (
      select webhook_id, count(*) as pending, 0 as parked, min(coalesce(due_since, next_try_at)) as oldest
      from webhook_deliveries where state = 'pending' group by webhook_id
      union all
      select webhook_id, 0, count(*), null from webhook_deliveries where state = 'parked' group by webhook_id) as waiting
    group by webhook_id) as backlog
  on conflict (minute, endpoint) do nothing`;

// The platform's last minute always gets a row, so that the next run knows where to go on.
const WRITE_ATTEMPTS = `
  insert into delivery_minutes (minute, endpoint, attempts, delivered, durations)
  select distinct on (minute, endpoint) * from (
    ${attemptsByMinute({ from: '$1', to: '$2', bounds: '$3' })}
    union all select $2::timestamptz - interval '1 minute', 'platform', 0, 0, '{}') as counted
  order by minute, endpoint, attempts desc
  on conflict (minute, endpoint) do update
    set attempts = excluded.attempts, delivered = excluded.delivered, durations = excluded.durations`;

const PRUNE = 'delete from delivery_minutes where minute < $1';
