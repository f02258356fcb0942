import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Sealer, UnsealError } from '#base/sealing';
import { storeLedgerKeys } from '#event-store/ledger-keys';
import { Logger } from '#platform/logger';
import { recordedFingerprints, retireEarlierKeys } from '#platform/encryption-key';
import { Clock } from '#base/clock';
import { Ids } from '#base/ids';
import { MaintenanceBusy, MaintenanceRunner, RunCancelled, RunRefused, type RunWork } from './maintenance-runner.js';
import { OrderKeyResealing } from './maintenance/order-key-resealing.js';
import { isElsewise, SEALED_COLUMNS, type SealedColumn } from './maintenance/sealed-columns.js';

const ROWS_AT_ONCE = 200;
// A batch takes some tens of milliseconds. After a wait for a slow statement the pause need not be as long.
const LONGEST_PAUSE_MS = 100;
/** Processes that still run with the earlier key may have sealed something after the last look. */
const RETIRE_AFTER_MS = 60_000;

type Counts = Record<string, number>;

/** Seals everything anew with ENCRYPTION_KEY while ENCRYPTION_KEY_PREVIOUS has earlier keys, and retires these when nothing needs them. */
@Injectable()
export class KeyResealing {
  private readonly runner: MaintenanceRunner;
  private readonly orderKeys: OrderKeyResealing;
  /** Values that no key opens. They stay as they are. */
  private unreadable = 0;
  private doneSince: number | undefined;

  constructor(
    private readonly pool: Pool,
    ids: Ids,
    @Inject(Clock) private readonly clock: Clock,
    private readonly sealer: Sealer,
    private readonly logger: Logger,
  ) {
    this.runner = new MaintenanceRunner(pool, ids);
    this.orderKeys = new OrderKeyResealing(pool, sealer);
  }

  /** Cheap without earlier keys. */
  async step(stop?: AbortSignal): Promise<void> {
    if (this.sealer.fingerprints.length === 1) return;
    // Somebody runs this process with an earlier key, so that all processes open the next one before it is used.
    if (!(await recordedFingerprints(this.pool)).includes(this.sealer.fingerprint)) return;
    if ((await this.remaining()) > this.unreadable) {
      this.doneSince = undefined;
      return await this.run(stop);
    }
    this.doneSince ??= this.clock.monotonic();
    if (this.clock.monotonic() - this.doneSince < RETIRE_AFTER_MS) return;
    const retired = await retireEarlierKeys(this.pool, this.sealer);
    if (retired.length === 0) return;
    this.logger.info({ retired }, 'nothing needs the earlier ENCRYPTION_KEY any more: remove ENCRYPTION_KEY_PREVIOUS');
  }

  /** How many values are not sealed with the current key. */
  async remaining(): Promise<number> {
    const counts = SEALED_COLUMNS.map(async (column) => {
      const text = `select count(*)::int as count from ${column.table} where ${isElsewise(column, '$1')}`;
      const { rows } = await this.pool.query<{ count: number }>(text, [this.header]);
      return rows[0]?.count ?? 0;
    });
    return (await Promise.all([...counts, this.orderKeys.remaining()])).reduce((sum, count) => sum + count, 0);
  }

  private async run(stop?: AbortSignal): Promise<void> {
    try {
      // What the earlier keys have signed is checked with them for ever.
      await storeLedgerKeys(this.pool, this.sealer);
      await this.runner.runNow({ kind: 'reseal' }, 'system:reseal', this.work(), stop);
    } catch (error) {
      // It goes on at the next step.
      if (!(error instanceof MaintenanceBusy || error instanceof RunCancelled || error instanceof RunRefused))
        throw error;
    }
  }

  private work(): RunWork {
    return async (_run, report) => {
      const total = await this.remaining();
      const [resealed, unreadable]: [Counts, Counts] = [{}, {}];
      let workedSince = this.clock.monotonic();
      let done = 0;
      const onBatch = async (table: string, batch: Readonly<{ resealed: number; unreadable: number }>) => {
        resealed[table] = (resealed[table] ?? 0) + batch.resealed;
        if (batch.unreadable > 0) unreadable[table] = (unreadable[table] ?? 0) + batch.unreadable;
        done += batch.resealed + batch.unreadable;
        report({ step: table, done: Math.min(done, total), total });
        await sleep(Math.min(LONGEST_PAUSE_MS, this.clock.monotonic() - workedSince));
        workedSince = this.clock.monotonic();
      };
      for (const column of SEALED_COLUMNS) await this.reseal(column, (batch) => onBatch(column.table, batch));
      await this.orderKeys.run((batch) => onBatch('personal_data_keys', batch));
      this.unreadable = Object.values(unreadable).reduce((sum, count) => sum + count, 0);
      if (this.unreadable > 0) this.logger.warn({ unreadable }, 'no ENCRYPTION_KEY opens these values');
      return { checked: resealed, found: unreadable };
    };
  }

  private async reseal(
    column: SealedColumn,
    onBatch: (batch: Readonly<{ resealed: number; unreadable: number }>) => Promise<void>,
  ): Promise<void> {
    const { table, id = 'id', needs = [] } = column;
    const text = `select ${id} as id, ${column.column} as value${needs.map((name) => `, ${name}`).join('')} from ${table}
      where ${id} > $2 and ${isElsewise(column, '$1')} order by ${id} limit ${ROWS_AT_ONCE}`;
    for (let after = ''; ;) {
      const { rows } = await this.pool.query<{ id: string; value: Buffer | string }>(text, [this.header, after]);
      const last = rows.at(-1);
      if (!last) return;
      let unreadable = 0;
      for (const row of rows) if (!(await this.resealRow(column, row))) unreadable += 1;
      await onBatch({ resealed: rows.length - unreadable, unreadable });
      after = last.id;
    }
  }

  /** Does not overwrite what somebody has written meanwhile. Returns false for a value that no key opens. */
  private async resealRow(
    { table, column, id: idColumn = 'id', purpose, context, prefix }: SealedColumn,
    row: Readonly<{ id: string; value: Buffer | string }>,
  ): Promise<boolean> {
    const { id, value } = row;
    const sealed = typeof value === 'string' ? Buffer.from(value.slice(prefix?.length), 'base64') : value;
    try {
      const resealed = this.sealer.resealed(purpose, context(id, row), sealed);
      const stored = typeof value === 'string' ? `${prefix}${resealed?.toString('base64')}` : resealed;
      const text = `update ${table} set ${column} = $2 where ${idColumn} = $1 and ${column} = $3`;
      if (resealed) await this.pool.query(text, [id, stored, value]);
      return true;
    } catch (error) {
      if (error instanceof UnsealError) return false;
      throw error;
    }
  }

  /** What a value begins with that is sealed with the current key. */
  private get header(): Buffer {
    return this.sealer.header;
  }
}
