import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { DatabaseClock } from '#database/database-clock';
import { pingId } from './ping-id.js';
import { foundPings, type ResendResult } from './ping-queries.js';
import type { Clock } from '#base/clock';

/** An order whose latest status the platform has not seen. Times are ISO 8601, UTC. */
export type DriftingOrder = Readonly<{
  order_id: string;
  ref_id: string | null;
  status: string;
  status_code: number;
  status_message: string;
  sequence: number;
  changed_at: string;
  last_acknowledged: Readonly<{ sequence: number; at: string }> | null;
  last_read_at: string | null;
  /** The state of the latest ping, or `never_acknowledged` if the platform acknowledged none of the order's pings. */
  why: 'pending' | 'parked' | 'never_acknowledged';
  ping: Readonly<{ id: string; state: 'pending' | 'parked'; tries: number; next_try_at: string | null }>;
}>;

/** Excludes orders that changed recently, because their pings may still be on their way. */
export type DriftFilter = Readonly<{ older_than_seconds: number }>;

export type DriftPage = Readonly<{ limit: number; after?: string | undefined }>;

/** Finds orders that changed after the platform last acknowledged one of their pings and last read them. */
@Injectable()
export class Drift {
  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  async list(filter: DriftFilter, { limit, after = '' }: DriftPage): Promise<readonly DriftingOrder[]> {
    const values = [after, this.changedBefore(filter), limit];
    const { rows } = await this.pool.query<DriftRow>(`${DRIFTING} order by order_id limit $3`, values);
    return rows.map(drifting);
  }

  /** Makes the unacknowledged pings of these orders due now. `dryRun` only counts them. */
  async resendMatching(filter: DriftFilter, { dryRun }: Readonly<{ dryRun: boolean }>): Promise<ResendResult> {
    const values: unknown[] = ['', this.changedBefore(filter)];
    if (!dryRun) values.push(this.clock.iso());
    return await foundPings(this.pool, dryRun ? UNDELIVERED : MADE_DUE, values);
  }

  private changedBefore({ older_than_seconds }: DriftFilter): Date {
    return new Date(this.clock.now() - older_than_seconds * 1_000);
  }
}

/**
 * $1 the order after which to start, $2 the latest time of the change. The query scans only the partial indexes of undelivered pings. A
 * resent ping still counts as acknowledged, because its attempts show it.
 */
const DRIFTING = `
  select waiting.order_id, newest.*, acknowledged.sequence as acknowledged, acknowledged.at as acknowledged_at, read_at
  from (
    select order_id from pings where state = 'pending' and order_id > $1
    union
    select order_id from pings where state = 'parked' and order_id > $1) as waiting
  cross join lateral (
    select ref_id, sequence, position, status, status_code, status_message, occurred_at, state, tries, next_try_at from pings
    where pings.order_id = waiting.order_id order by sequence desc limit 1) as newest
  left join lateral (
    select sequence, started_at + duration_ms * interval '1 ms' as at from ping_attempts made
    where made.order_id = waiting.order_id and error is null order by sequence desc, attempt desc limit 1) as acknowledged on true
  left join platform_reads on platform_reads.order_id = waiting.order_id
  where newest.state <> 'delivered' and newest.occurred_at <= $2
    and coalesce(acknowledged.sequence, 0) < newest.sequence and coalesce(platform_reads.version, 0) < newest.position`;

const UNDELIVERED = `
  select pings.order_id, pings.sequence from (${DRIFTING}) as order_of
  join pings on pings.order_id = order_of.order_id and pings.sequence > coalesce(order_of.acknowledged, 0)
  where pings.state <> 'delivered'`;

// Locks in the same order as the workers, to avoid deadlocks.
const MADE_DUE = `
  update pings set state = 'pending', due_since = $3, next_try_at = $3, tries = 0 from (
    select kept.order_id as id, kept.sequence as place from pings kept
    where (order_id, sequence) in (${UNDELIVERED}) order by 1, 2 for update) as chosen
  where order_id = id and sequence = place and state <> 'delivered' returning order_id, sequence`;

type Key = { order_id: string; sequence: number };

type DriftRow = Key & {
  ref_id: string | null;
  status: string;
  status_code: number;
  status_message: string;
  occurred_at: Date;
  state: 'pending' | 'parked';
  tries: number;
  next_try_at: Date | null;
  acknowledged: number | null;
  acknowledged_at: Date | null;
  read_at: Date | null;
};

function drifting(row: DriftRow): DriftingOrder {
  const { order_id, ref_id, sequence, status, status_code, status_message, state, tries, acknowledged } = row;
  const last = acknowledged === null ? null : { sequence: acknowledged, at: row.acknowledged_at?.toISOString() ?? '' };
  return {
    order_id,
    ref_id,
    status,
    status_code,
    status_message,
    sequence,
    changed_at: row.occurred_at.toISOString(),
    last_acknowledged: last,
    last_read_at: row.read_at?.toISOString() ?? null,
    why: last === null ? 'never_acknowledged' : state,
    ping: {
      id: pingId({ orderId: order_id, sequence }),
      state,
      tries,
      next_try_at: row.next_try_at?.toISOString() ?? null,
    },
  };
}
