import pg from 'pg';
import type { DatabaseEpoch } from '#database/epoch';
import { KeyedLimiter } from '#database/keyed-limiter';
import type { AppendedRows, AppendStatement } from './append-statement.js';

type Waiting = Readonly<{ append: AppendedRows; resolve: () => void; reject: (error: unknown) => void }>;
type Batch = readonly [Waiting, ...Waiting[]];

// Each size has a prepared statement of its own, so there are few: three waiting appends are a batch of two and one more.
const SIZES = [8, 4, 2, 1];

/** The database has begun another epoch than the one in which an append was decided. */
export class EpochMismatch extends Error {}

/**
 * Sends appends to the database, those of one turn of the event loop together where they have one shape and stand alone:
 * a commit costs the same for one as for eight. Each is still written whole or not at all, and fails by itself.
 */
export class AppendQueue {
  private waiting: Waiting[] = [];
  private readonly limiter: KeyedLimiter;

  constructor(
    private readonly pool: Pick<pg.Pool, 'query' | 'connect'>,
    private readonly statement: AppendStatement,
    private readonly epoch?: DatabaseEpoch,
  ) {
    this.limiter = KeyedLimiter.of(pool);
  }

  /** Throws the database's error. */
  async write(append: AppendedRows): Promise<void> {
    const key = this.statement.contendedKey(append);
    if (key !== undefined) return await this.limiter.run(key, () => this.writeAll([append]));
    if (!this.statement.standsAlone(append)) return await this.writeAll([append]);
    await new Promise<void>((resolve, reject) => {
      if (this.waiting.push({ append, resolve, reject }) === 1) setImmediate(() => this.sendWaiting());
    });
  }

  private sendWaiting(): void {
    const alike = new Map<string, Waiting[]>();
    for (const one of this.waiting) {
      const shape = this.statement.shapeOf(one.append);
      alike.set(shape, [...(alike.get(shape) ?? []), one]);
    }
    this.waiting = [];
    for (const group of alike.values()) for (const batch of batches(group)) void this.send(batch);
  }

  private async send(batch: Batch): Promise<void> {
    const [first, ...others] = batch;
    try {
      await this.writeAll([first.append, ...others.map(({ append }) => append)]);
      for (const { resolve } of batch) resolve();
    } catch (error) {
      // Rolled back because of one of them, or of two to one stream. Where the connection broke, nobody knows whether it was.
      if (others.length > 0 && isRolledBack(error)) for (const one of batch) void this.send([one]);
      else for (const { reject } of batch) reject(error);
    }
  }

  private async writeAll(appends: readonly [AppendedRows, ...AppendedRows[]]): Promise<void> {
    if (!this.epoch) return void (await this.pool.query(this.statement.query(appends)));
    // A new connection may have shown that the database was restored: only then is it known what the append would meet.
    const client = await this.pool.connect();
    let fault: Error | undefined;
    try {
      const { current } = this.epoch;
      if (appends.some(({ epoch }) => epoch !== undefined && epoch !== current)) throw new EpochMismatch();
      await client.query(this.statement.query(appends));
    } catch (error) {
      if (!(error instanceof EpochMismatch)) fault = error as Error;
      throw error;
    } finally {
      client.release(fault);
    }
  }
}

function* batches(waiting: readonly Waiting[]): Generator<Batch> {
  let from = 0;
  while (from < waiting.length) {
    const size = SIZES.find((fitting) => fitting <= waiting.length - from) ?? 1;
    const [first, ...others] = waiting.slice(from, from + size);
    if (first) yield [first, ...others];
    from += size;
  }
}

/** The server's own refusal of the statement; those of class 08 and 57 come when the connection or the server ends. */
function isRolledBack(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !/^(08|57)/.test(error.code ?? '08');
}
