import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import type { ReadPurchase, ReceivedPing } from './received-ping.contract.js';
import { LazyCommitPool } from '#database/lazy-commit-pool';
import { Clock } from '#base/clock';
import { stringifyJson } from '#base/json';
import { activeTraceparent } from '#base/tracing';

/** `clientId` is the signer, or null if the signature is invalid. */
export type IncomingPing = Readonly<{
  orderId: string;
  refId: string | null;
  transactionId: string | null;
  clientId: string | null;
}>;

/** `reads` counts the attempts so far. */
export type UnreadPing = Readonly<{
  id: number;
  orderId: string;
  clientId: string;
  transactionId: string | null;
  announcement: number;
  reads: number;
  /** Of its receipt. Null if no trace was recorded. */
  traceparent: string | null;
}>;

/** `nextReadAt` is in milliseconds since the epoch, or null if there is no retry. */
export type ReadResult =
  | Readonly<{ purchase: ReadPurchase; showsAnnounced: boolean | null }>
  | Readonly<{ error: string; nextReadAt: number | null }>;

export type Counts = Readonly<{ received: number; orders: number; waiting: number; refused: number }>;

export type PingPage = Readonly<{ limit: number; before?: number | undefined }>;

/** Anybody can send pings to the sandbox, so old ones are deleted. */
const KEPT = 10_000;
const KEPT_REFUSED = 100;

@Injectable()
export class ReceivedPings {
  /** @param pool may use lazy commits, because losing this data in a crash does no harm */
  constructor(
    @Inject(LazyCommitPool) private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  async record({ orderId, refId, transactionId, clientId }: IncomingPing): Promise<number> {
    const { rows } = await this.pool.query<{ id: number }>({
      name: 'sandbox-ping-record',
      text: RECORD,
      values: [orderId, refId, transactionId, clientId, this.clock.iso(), activeTraceparent() ?? null],
    });
    const id = rows[0]?.id ?? 0;
    if (clientId === null) await this.pool.query(TRIM_REFUSED, [KEPT_REFUSED]);
    // Finding old pings costs more than recording one.
    else if (id % 100 === 0) await this.pool.query(TRIM, [KEPT]);
    return id;
  }

  /** Used if the receipt could not be confirmed to the sender. */
  async forget(id: number): Promise<void> {
    await this.pool.query('delete from sandbox_pings where id = $1', [id]);
  }

  /** Returns undefined if the ping was deleted or its read is finished. */
  async findUnread(id: number): Promise<UnreadPing | undefined> {
    const { rows } = await this.pool.query<UnreadPing>({
      name: 'sandbox-ping-unread',
      text: FIND_UNREAD,
      values: [id],
    });
    return rows[0];
  }

  /** Returns pings whose read has been due for at least `sinceMs`, oldest first. */
  async overdue(sinceMs: number, limit: number): Promise<readonly Pick<UnreadPing, 'id' | 'reads'>[]> {
    const { rows } = await this.pool.query<Pick<UnreadPing, 'id' | 'reads'>>({
      name: 'sandbox-pings-overdue',
      text: OVERDUE,
      values: [new Date(this.clock.now() - sinceMs), limit],
    });
    return rows;
  }

  /** Writes the result, unless another read of the same ping was faster. */
  async recordRead({ id, reads }: UnreadPing, result: ReadResult): Promise<void> {
    const columns =
      'purchase' in result
        ? [stringifyJson(result.purchase), result.showsAnnounced, null, null]
        : [null, null, result.error, result.nextReadAt === null ? null : new Date(result.nextReadAt)];
    const values = [id, reads, this.clock.iso(), ...columns];
    await this.pool.query({ name: 'sandbox-ping-read', text: RECORD_READ, values });
  }

  async list({ limit, before }: PingPage): Promise<readonly ReceivedPing[]> {
    const { rows } = await this.pool.query<PingRow>({
      name: 'sandbox-pings-list',
      text: LIST,
      values: [before ?? Number.MAX_SAFE_INTEGER, limit],
    });
    return rows.map(receivedPing);
  }

  /** Returns the orders of all stored pings with a valid signature. */
  async orderIds(): Promise<readonly string[]> {
    const { rows } = await this.pool.query<{ id: string }>(
      'select distinct order_id as id from sandbox_pings where signature_valid order by 1',
    );
    return rows.map(({ id }) => id);
  }

  async counts(): Promise<Counts> {
    const { rows } = await this.pool.query<Counts>({ name: 'sandbox-pings-counts', text: COUNTS });
    return rows[0] ?? { received: 0, orders: 0, waiting: 0, refused: 0 };
  }
}

type Times = 'received_at' | 'next_read_at' | 'read_at';
type PingRow = Omit<ReceivedPing, Times | 'state'> & {
  received_at: Date;
  next_read_at: Date | null;
  read_at: Date | null;
};

function receivedPing(row: PingRow): ReceivedPing {
  return {
    ...row,
    state: stateOf(row),
    received_at: row.received_at.toISOString(),
    next_read_at: row.next_read_at?.toISOString() ?? null,
    read_at: row.read_at?.toISOString() ?? null,
  };
}

function stateOf({ signature_valid, next_read_at, purchase }: PingRow): ReceivedPing['state'] {
  if (!signature_valid) return 'refused';
  if (next_read_at) return 'waiting';
  return purchase ? 'read' : 'given_up';
}

// A ping does not contain the status, but each status of an order has its own transaction id, and pings arrive in order.
const RECORD = `
  with earlier as (
    select max(announcement) as newest, max(announcement) filter (where transaction_id = $3) as same
    from sandbox_pings where order_id = $1 and client_id = $4 and signature_valid)
  insert into sandbox_pings (
    order_id, ref_id, transaction_id, client_id, signature_valid, received_at, announcement, next_read_at,
    traceparent)
  select $1, $2, $3, $4, $4 is not null, $5::timestamptz,
    case when $4 is not null then coalesce(same, coalesce(newest, 0) + 1) end,
    case when $4 is not null then $5::timestamptz end, $6
  from earlier
  returning id`;

const TRIM = 'delete from sandbox_pings where id < (select id from sandbox_pings order by id desc offset $1 limit 1)';
const TRIM_REFUSED = `
  delete from sandbox_pings where not signature_valid
    and id <= (select id from sandbox_pings where not signature_valid order by id desc offset $1 limit 1)`;

const FIND_UNREAD = `
  select id, order_id as "orderId", client_id as "clientId", transaction_id as "transactionId", announcement, reads,
    traceparent
  from sandbox_pings where id = $1 and next_read_at is not null`;

const OVERDUE = `
  select id, reads from sandbox_pings where next_read_at <= $1 order by next_read_at, id limit $2`;

const RECORD_READ = `
  update sandbox_pings set reads = reads + 1, read_at = $3, purchase = $4, shows_announced = $5, read_error = $6,
    next_read_at = $7
  where id = $1 and reads = $2 and next_read_at is not null`;

const LIST = `
  select id, received_at, order_id, ref_id, client_id, transaction_id, signature_valid, announcement, reads,
    next_read_at, read_at, read_error, shows_announced, purchase
  from sandbox_pings where id < $1 order by id desc limit $2`;

const COUNTS = `
  select count(*)::int as received,
    count(distinct order_id) filter (where signature_valid)::int as orders,
    count(next_read_at)::int as waiting,
    count(*) filter (where not signature_valid)::int as refused
  from sandbox_pings`;
