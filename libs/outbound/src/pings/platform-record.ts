import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { DatabaseClock } from '#database/database-clock';
import { LazyCommitPool } from '#database/lazy-commit-pool';
import { type CircuitBreaker, CLOSED } from '#delivery-kit/circuit-breaker';
import { MAX_LEASE_DIFFERENCE } from '#delivery-kit/lease';
import { Logger } from '#platform/logger';
import type { Clock } from '#base/clock';

type PlatformNotice = Readonly<{
  kind: 'platform.breaker_opened' | 'platform.breaker_closed';
  message: string;
}>;

@Injectable()
export class PlatformRecord {
  constructor(
    @Inject(LazyCommitPool) private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    @Inject(Logger) private readonly log: Pick<Logger, 'warn'>,
  ) {}

  /** `openUntil` of a half-open breaker is the time after which another worker may probe the platform. */
  async read(): Promise<CircuitBreaker> {
    const { rows } = await this.pool.query<BreakerRow>({ name: 'ping-breaker', text: READ });
    const [row] = rows;
    if (!row || row.state === 'closed') return CLOSED;
    return { ...row, openUntil: row.open_until?.getTime() ?? 0 };
  }

  /** Only the first of several workers that save the same change adds a notice. */
  async save(breaker: CircuitBreaker): Promise<void> {
    const notice = noticeOf(breaker);
    const { state, failures, openings, openUntil } = breaker;
    const until = openUntil === null ? null : new Date(openUntil);
    const values = [state, failures, openings, until, notice.kind, notice.message, new Date(this.clock.now())];
    const { rows } = await this.pool.query<{ turned: boolean }>(SAVE, values);
    if (rows[0]?.turned) this.log.warn({ part: 'pings', kind: notice.kind }, notice.message);
  }

  async claim(until: number): Promise<boolean> {
    const { rowCount } = await this.pool.query(CLAIM, [new Date(this.clock.now()), new Date(until)]);
    return rowCount === 1;
  }

  /** Reserves a period of `ms` after all earlier reservations. Returns its start. */
  async reserve(ms: number): Promise<number> {
    const { rows } = await this.pool.query<{ from_ms: number }>({
      name: 'ping-pace',
      text: RESERVE,
      values: [this.clock.now(), ms],
    });
    return rows[0]?.from_ms ?? this.clock.now();
  }
}

type BreakerRow = Pick<CircuitBreaker, 'state' | 'failures' | 'openings'> & { open_until: Date | null };

function noticeOf({ state, failures }: CircuitBreaker): PlatformNotice {
  return state === 'closed'
    ? { kind: 'platform.breaker_closed', message: 'the platform responds again: all held-back pings are being sent' }
    : {
        kind: 'platform.breaker_opened',
        message: `pings of ${failures} orders in a row failed: the platform is probed from time to time, and no ping is lost`,
      };
}

const READ = `
  select breaker as state, failures, openings, open_until from ping_endpoints where endpoint = 'platform'`;

/** $1 to $4 the breaker, $5 and $6 kind and text of the notice, $7 now. */
const SAVE = `
  with before as (
    select endpoint, (breaker = 'closed') <> ($1::text = 'closed') as turned
    from ping_endpoints where endpoint = 'platform' for update),
  noted as (
    insert into operational_notices (kind, subject, message, created_at)
    select $5, endpoint, $6, $7 from before where turned)
  update ping_endpoints as platform set breaker = $1, failures = $2, openings = $3, open_until = $4
  from before where platform.endpoint = before.endpoint
  returning turned`;

/** $1 now, $2 the end of the probe. A later open_until was written with a wrong clock. */
const CLAIM = `
  update ping_endpoints set breaker = 'half_open', open_until = $2
  where endpoint = 'platform' and breaker <> 'closed'
    and (open_until <= $1 or open_until > $2::timestamptz + ${MAX_LEASE_DIFFERENCE})`;

// Workers never reserve further ahead than this. A later time was written with a wrong clock.
const MOST_RESERVED_MS = 600_000;

/** $1 now, $2 how long, in milliseconds. */
const RESERVE = `
  update ping_endpoints set paced_until_ms = $2 + case
    when paced_until_ms > $1::float8 + ${MOST_RESERVED_MS} then $1 else greatest(paced_until_ms, $1) end
  where endpoint = 'platform' returning paced_until_ms - $2 as from_ms`;
