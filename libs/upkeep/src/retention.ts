import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Settings } from '#base/settings';
import { DatabaseClock } from '#database/database-clock';
import { dropPartitions } from '#database/partitions';
import { DomainError } from '#domain/domain-error';
import { OrderChanges } from '#orders/order-changes';
import type { Clock } from '#base/clock';
import { Ids } from '#base/ids';

const DAY_MS = 86_400_000;
// A batch locks its rows for some milliseconds.
const ROWS_AT_ONCE = 2_000;
const ORDERS_AT_ONCE = 100;

/** Read anew for each run: with a wrong clock of this process, all buyers would be erased for good. */
type DatabaseTime = Readonly<{ read(): Promise<Pick<Clock, 'now'>> }>;

/** Forgets what is no event once the settings say so: answers, attempts, reads of the platform, and the data of buyers. */
@Injectable()
export class Retention {
  /** Answers to attempts before this instant are gone. Each process finds it out once. */
  private answersUntil = new Date(0);

  constructor(
    private readonly pool: Pool,
    private readonly settings: Settings,
    @Inject(DatabaseClock) private readonly clock: DatabaseTime,
    private readonly ids: Ids,
    private readonly orders: OrderChanges,
  ) {}

  async run(): Promise<void> {
    const { ANSWER_DAYS, ATTEMPT_DAYS, READ_DAYS, PERSONAL_DATA_DAYS } = this.settings;
    const now = (await this.clock.read()).now();
    const before = (days: number) => new Date(now - days * DAY_MS);
    const month = monthOf(before(ATTEMPT_DAYS));
    for (const table of ['ping_attempts', 'webhook_attempts'] as const) {
      await dropPartitions(this.pool, table, month);
      await this.inBatches(DELETE_ATTEMPTS(table), [month]);
      await this.inBatches(FORGET_ANSWERS(table), [before(ANSWER_DAYS), this.answersUntil]);
    }
    this.answersUntil = before(ANSWER_DAYS);
    await this.inBatches(DELETE_READS, [before(READ_DAYS)]);
    if (PERSONAL_DATA_DAYS !== undefined) await this.eraseBuyers(before(PERSONAL_DATA_DAYS));
  }

  /** As if somebody erased each order. */
  private async eraseBuyers(placedBefore: Date): Promise<void> {
    for (let after = ''; ;) {
      const { rows } = await this.pool.query<{ id: string }>(BUYERS, [placedBefore, after]);
      const last = rows.at(-1);
      if (!last) return;
      for (const { id } of rows) await this.eraseBuyer(id);
      after = last.id;
    }
  }

  private async eraseBuyer(orderId: string): Promise<void> {
    const metadata = { transaction_id: this.ids.next('req'), actor: 'system:retention' };
    try {
      await this.orders.apply(orderId, { type: 'ErasePersonalData' }, metadata);
    } catch (error) {
      // A key without events, which `verify` reports.
      if (!(error instanceof DomainError)) throw error;
    }
  }

  private async inBatches(statement: string, values: readonly unknown[]): Promise<void> {
    for (;;) {
      const { rowCount } = await this.pool.query(statement, [...values]);
      if ((rowCount ?? 0) < ROWS_AT_ONCE) return;
    }
  }
}

/** Attempts go by whole months, because a partition is dropped at once and rows are deleted one by one. */
function monthOf(time: Date): Date {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth()));
}

const KEYS = {
  ping_attempts: 'order_id, sequence, attempt',
  webhook_attempts: 'webhook_id, position, attempt',
} as const;

// The report on drift compares what the platform has acknowledged and read with pings that were not delivered.
const ALL_DELIVERED = ` and not exists (select from pings p where p.order_id = kept.order_id and p.state <> 'delivered')`;

const inBatch = (table: keyof typeof KEYS, where: string) => `
  where (${KEYS[table]}) in (select ${KEYS[table]} from ${table} as kept where ${where} limit ${ROWS_AT_ONCE})`;

const DELETE_ATTEMPTS = (table: keyof typeof KEYS) =>
  `delete from ${table} ${inBatch(table, `started_at < $1${table === 'ping_attempts' ? ALL_DELIVERED : ''}`)}`;

const FORGET_ANSWERS = (table: keyof typeof KEYS) =>
  `update ${table} set answer = null ${inBatch(table, 'started_at < $1 and started_at >= $2 and answer is not null')}`;

const DELETE_READS = `
  delete from platform_reads where ctid = any(array(
    select ctid from platform_reads as kept where read_at < $1${ALL_DELIVERED} limit ${ROWS_AT_ONCE}))`;

const BUYERS = `
  select order_id as id from personal_data_keys where placed_at < $1 and order_id > $2
  order by order_id limit ${ORDERS_AT_ONCE}`;
