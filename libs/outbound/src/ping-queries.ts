import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Ping } from './ping.contract.js';
import { DatabaseClock } from '#database/database-clock';
import { type ColumnArrays, columnArrays, rowsOf } from '#database/column-arrays';
import { isoOfJson } from '#database/instants';
import { inState } from '#delivery-kit/attempt';
import { afterWrite } from '#database/database-errors';
import type { Clock } from '#base/clock';
import { pingId, pingKey, type PingKey } from './ping-id.js';
import { dueAgainAt } from './pings/ping-statements.js';

type PingState = Ping['state'];

export type PingFilter = Readonly<{ state?: PingState | undefined; order_id?: string | undefined }>;

export type PingPage = Readonly<{ limit: number; after?: PingKey | undefined }>;

/** `ids` are the first hundred, oldest first. */
export type ResendResult = Readonly<{ matched: number; ids: readonly string[] }>;

export type PingCounts = Readonly<{
  pending: number;
  parked: number;
  delivered: number;
  /** How long the oldest pending ping has been due. 0 if there is none. */
  oldestPendingMs: number;
}>;

@Injectable()
export class PingQueries {
  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /** Newest orders first, and the last ping of an order first. */
  async list(filter: PingFilter, { limit, after }: PingPage): Promise<readonly Ping[]> {
    const { conditions, values } = conditionsOf(filter);
    if (after)
      conditions.push(`(order_id, sequence) < ($${values.push(after.orderId)}, $${values.push(after.sequence)})`);
    const order = `order by order_id desc, sequence desc limit $${values.push(limit)}`;
    return await this.read(`${whereOf(conditions)} ${order}`, values);
  }

  /** Without the platform's answers, because not everybody who may read orders may see deliveries. */
  async ofOrder(orderId: string): Promise<readonly Ping[]> {
    const { rows } = await this.pool.query<OfOrder>({ name: 'pings-of-order', text: OF_ORDER, values: [orderId] });
    const attempts = new Map<number, AttemptJson[]>();
    for (const attempt of rowsOf(rows[0]?.attempts)) {
      const earlier = attempts.get(attempt.sequence);
      if (earlier) earlier.push(attempt);
      else attempts.set(attempt.sequence, [attempt]);
    }
    return rowsOf(rows[0]?.pings).map((ping) => listedJson(orderId, ping, attempts.get(ping.sequence) ?? []));
  }

  /** The same with the platform's answers. */
  async answered(orderId: string): Promise<readonly Ping[]> {
    return await this.read('where order_id = $1 order by sequence', [orderId]);
  }

  async find(id: string): Promise<Ping | undefined> {
    const key = pingKey(id);
    return key && (await this.read('where order_id = $1 and sequence = $2', [key.orderId, key.sequence]))[0];
  }

  /** Makes the ping due now, whatever its state, and resets its tries. */
  async resend(id: string): Promise<Ping | undefined> {
    const key = pingKey(id);
    if (!key) return undefined;
    await this.makeDue('where order_id = $1 and sequence = $2', [key.orderId, key.sequence]);
    return await afterWrite(() => this.find(id));
  }

  async resendLatest(orderId: string): Promise<void> {
    await this.makeDue('where order_id = $1 and sequence = (select max(sequence) from pings where order_id = $1)', [
      orderId,
    ]);
  }

  /** Makes all matching pings due now. The default state is `parked`. `dryRun` only counts them. The worker's sweep finds them. */
  async resendMatching(filter: PingFilter, { dryRun }: Readonly<{ dryRun: boolean }>): Promise<ResendResult> {
    const { conditions, values } = conditionsOf({ ...filter, state: filter.state ?? 'parked' });
    const where = whereOf(conditions);
    return dryRun
      ? await foundPings(this.pool, `select order_id, sequence from pings ${where}`, values)
      : await this.makeDue(where, values);
  }

  async counts(): Promise<PingCounts> {
    const { rows } = await this.pool.query<Omit<PingCounts, 'oldestPendingMs'> & { oldest: Date | null }>(COUNTS);
    const { oldest = null, ...counts } = rows[0] ?? { pending: 0, parked: 0, delivered: 0 };
    return { ...counts, oldestPendingMs: oldest === null ? 0 : Math.max(0, this.clock.now() - oldest.getTime()) };
  }

  private async makeDue(where: string, values: unknown[]): Promise<ResendResult> {
    const now = `$${values.push(new Date(this.clock.now()))}::timestamptz`;
    // Locks in the same order as the workers, to avoid deadlocks.
    return await foundPings(
      this.pool,
      `update pings set ${dueAgainAt(now)}
       from (select order_id as id, sequence as place from pings ${where} order by 1, 2 for update) as chosen
       where order_id = id and sequence = place returning order_id, sequence`,
      values,
    );
  }

  private async read(rest: string, values: readonly unknown[]): Promise<readonly Ping[]> {
    const { rows } = await this.pool.query<PingRow>(`select ${COLUMNS}, ${ATTEMPTS} from pings ${rest}`, [...values]);
    return rows.map(listed);
  }
}

/** @param statement that returns the keys of pings, and may change them */
export async function foundPings(pool: Pool, statement: string, values: readonly unknown[]): Promise<ResendResult> {
  const { rows } = await pool.query<{ matched: number; first: readonly PingRow[] | null }>(
    `with found as (${statement})
     select (select count(*)::int from found) as matched, (select json_agg(f) from
       (select order_id, sequence from found order by order_id, sequence limit 100) as f) as first`,
    [...values],
  );
  const { matched = 0, first } = rows[0] ?? {};
  return { matched, ids: (first ?? []).map((row) => pingId({ orderId: row.order_id, sequence: row.sequence })) };
}

const LISTED_COLUMNS = [
  'ref_id',
  'sequence',
  'status',
  'status_message',
  'status_code',
  'occurred_at',
  'transaction_id',
  'state',
  'tries',
  'next_try_at',
  'delivered_at',
];
const COLUMNS = `order_id, ${LISTED_COLUMNS.join(', ')}`;

const ATTEMPTS = `(select coalesce(json_agg(a order by a.attempt), '[]') from (
     select attempt, started_at, duration_ms, http_status, error, answer from ping_attempts
     where ping_attempts.order_id = pings.order_id and ping_attempts.sequence = pings.sequence) as a) as attempts`;

const ATTEMPT_COLUMNS = ['sequence', 'attempt', 'started_at', 'duration_ms', 'http_status', 'error'];

// An order can have a thousand pings, each with its attempts.
const OF_ORDER = `select
  (select row_to_json(pings) from (${ofOrder(LISTED_COLUMNS, 'pings', 'sequence')}) as pings) as pings,
  (select row_to_json(attempts) from (${ofOrder(ATTEMPT_COLUMNS, 'ping_attempts', 'sequence, attempt')}) as attempts) as attempts`;

function ofOrder(columns: readonly string[], table: string, order: string): string {
  return columnArrays(columns, `select ${columns.join(', ')} from ${table} where order_id = $1 order by ${order}`);
}

const COUNTS = `
  select (select count(*)::int from pings where state = 'pending') as pending,
    (select count(*)::int from pings where state = 'parked') as parked,
    (select count(*)::int from pings where state = 'delivered') as delivered,
    (select min(due_since) from pings where state = 'pending') as oldest`;

type PingRow = Omit<Ping, 'id' | 'occurred_at' | 'next_try_at' | 'delivered_at'> & {
  occurred_at: Date;
  next_try_at: Date | null;
  delivered_at: Date | null;
};

/** As JSON of the database: instants have its form. */
type PingJson = Omit<Ping, 'id' | 'order_id' | 'attempts'>;
type AttemptJson = Omit<Ping['attempts'][number], 'answer'> & Readonly<{ sequence: number }>;
type OfOrder = Readonly<{ pings: ColumnArrays<PingJson>; attempts: ColumnArrays<AttemptJson> }>;

function listedJson(orderId: string, ping: PingJson, attempts: readonly AttemptJson[]): Ping {
  return {
    id: pingId({ orderId, sequence: ping.sequence }),
    order_id: orderId,
    ref_id: ping.ref_id,
    sequence: ping.sequence,
    status: ping.status,
    status_message: ping.status_message,
    status_code: ping.status_code,
    occurred_at: isoOfJson(ping.occurred_at),
    transaction_id: ping.transaction_id,
    state: ping.state,
    tries: ping.tries,
    next_try_at: ping.next_try_at && isoOfJson(ping.next_try_at),
    delivered_at: ping.delivered_at && isoOfJson(ping.delivered_at),
    attempts: attempts.map(({ attempt, started_at, duration_ms, http_status, error }) => {
      return { attempt, started_at: isoOfJson(started_at), duration_ms, http_status, error };
    }),
  };
}

/** Each field by name: it is several times as fast as spreading the row. */
function listed(row: PingRow): Ping {
  return {
    id: pingId({ orderId: row.order_id, sequence: row.sequence }),
    order_id: row.order_id,
    ref_id: row.ref_id,
    sequence: row.sequence,
    status: row.status,
    status_message: row.status_message,
    status_code: row.status_code,
    occurred_at: row.occurred_at.toISOString(),
    transaction_id: row.transaction_id,
    state: row.state,
    tries: row.tries,
    next_try_at: row.next_try_at?.toISOString() ?? null,
    delivered_at: row.delivered_at?.toISOString() ?? null,
    attempts: row.attempts.map((attempt) => ({ ...attempt, started_at: new Date(attempt.started_at).toISOString() })),
  };
}

function conditionsOf({ state, order_id }: PingFilter): { conditions: string[]; values: unknown[] } {
  const values: unknown[] = [];
  const conditions: string[] = [];
  if (state !== undefined) conditions.push(inState(state));
  if (order_id !== undefined) conditions.push(`order_id = $${values.push(order_id)}`);
  return { conditions, values };
}

function whereOf(conditions: readonly string[]): string {
  return conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
}
