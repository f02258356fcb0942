import pg from 'pg';
import { connectionError } from '#database/database-errors';
import type { DatabaseEpoch } from '#database/epoch';
import { KeyedLimiter } from '#database/keyed-limiter';
import { inSizes } from './append-batches.js';
import type { AppendedRows, AppendStatement, StatementOptions } from './append-statement.js';
import { GroupCommit } from './group-commit.js';
import { RowGroups } from './row-groups.js';

type Waiting = Readonly<{ append: AppendedRows; resolve: () => void; reject: (error: unknown) => void }>;
type Batch = readonly [Waiting, ...Waiting[]];

export class EpochMismatch extends Error {}

class Unmergeable extends Error {}

/** Batches the appends of one turn of the event loop that have the same shape and stand alone. Each is still atomic and fails by itself. */
export class AppendQueue {
  private waiting: Waiting[] = [];
  private readonly limiter: KeyedLimiter;
  private readonly groups: GroupCommit;
  private readonly rows: RowGroups;

  constructor(
    private readonly pool: Pick<pg.Pool, 'query' | 'connect'>,
    private readonly statement: AppendStatement,
    private readonly epoch?: DatabaseEpoch,
  ) {
    this.limiter = KeyedLimiter.of(pool);
    this.groups = new GroupCommit({
      write: (group) => this.writeAll(group, { isWaiting: false }),
      isRolledBack: (error) => error instanceof EpochMismatch || isRolledBack(error),
    });
    this.rows = new RowGroups(this.limiter, {
      write: (group) => this.writeRow(group),
      isRolledBack: (error) => error instanceof EpochMismatch || error instanceof Unmergeable || isRolledBack(error),
    });
  }

  async write(append: AppendedRows): Promise<void> {
    const key = this.statement.contendedKey(append);
    if (key !== undefined) {
      if (!this.statement.canShare(append)) return await this.limiter.run(key, () => this.writeAll([append]));
      if (await this.isWrittenInGroup(key, append)) return;
      return await this.rows.write(key, this.statement.shapeOf(append), append);
    }
    if (!this.statement.standsAlone(append)) return await this.writeAll([append]);
    await new Promise<void>((resolve, reject) => {
      if (this.waiting.push({ append, resolve, reject }) === 1) setImmediate(() => this.sendWaiting());
    });
  }

  /** Not while others of this process want the row: the statement of a group has it once, and fails while others hold it. */
  private async isWrittenInGroup(key: string, append: AppendedRows): Promise<boolean> {
    if (this.limiter.isBusy(key) || this.groups.isBusy(key)) return false;
    return await this.groups.write({ key, shape: this.statement.shapeOf(append), append });
  }

  private sendWaiting(): void {
    const byShape = new Map<string, Waiting[]>();
    for (const one of this.waiting) {
      const shape = this.statement.shapeOf(one.append);
      byShape.set(shape, [...(byShape.get(shape) ?? []), one]);
    }
    this.waiting = [];
    for (const group of byShape.values()) for (const batch of inSizes(group)) void this.send(batch);
  }

  private async send(batch: Batch): Promise<void> {
    const [first, ...others] = batch;
    try {
      await this.writeAll([first.append, ...others.map(({ append }) => append)]);
      for (const { resolve } of batch) resolve();
    } catch (error) {
      // One append of the batch failed, or two were for the same stream. After a lost connection it is unknown whether the batch
      // was committed, so it must not be sent again.
      if (others.length > 0 && isRolledBack(error)) for (const one of batch) void this.send([one]);
      else for (const { reject } of batch) reject(error);
    }
  }

  /** Several appends change their row once. @throws Unmergeable if they cannot */
  private async writeRow(appends: readonly [AppendedRows, ...AppendedRows[]]): Promise<void> {
    const [first, ...others] = appends;
    if (others.length === 0) return await this.writeAll([first]);
    const merged = this.statement.onOneRow(appends);
    if (!merged) throw new Unmergeable();
    await this.writeAll(merged, { isOneRow: true });
  }

  private async writeAll(
    appends: readonly [AppendedRows, ...AppendedRows[]],
    options: StatementOptions = {},
  ): Promise<void> {
    const query = this.statement.query(appends, options);
    if (!this.epoch) return void (await this.pool.query(query));
    // Only a new connection reveals that the database was restored, so the epoch is checked after connecting.
    const client = await this.pool.connect();
    let unfit: Error | undefined;
    try {
      const { current } = this.epoch;
      if (appends.some(({ epoch }) => epoch !== undefined && epoch !== current)) throw new EpochMismatch();
      await client.query(query);
    } catch (error) {
      if (!(error instanceof EpochMismatch)) unfit = connectionError(error);
      throw error;
    } finally {
      client.release(unfit);
    }
  }
}

/** True if the server rejected the statement. Errors of class 08 and 57 occur when the connection or the server ends. */
function isRolledBack(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !/^(08|57)/.test(error.code ?? '08');
}
