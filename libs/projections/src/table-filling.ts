import type { ClientBase } from 'pg';
import { type CopiedRow, copyRows } from '#database/copy-rows';
import { readStreams, rowsOfStream, scanStreams, type StoredStream } from '#event-store/stream-scan';
import type { ChangedStreams } from './changed-streams.js';
import { keyOf, REBUILDABLE, type Rebuildable } from './rebuildable.js';

// To one COPY: with fewer rows its own cost shows, more of them grow old before they are garbage.
const ROWS_AT_ONCE = 500;

/** Writes what the log says into a table that is made like a read model. */
export class TableFilling {
  readonly #columns: readonly string[];

  /** `table` is the SQL name of what is filled, like the read model `of`. Reading and writing go on side by side. */
  constructor(
    private readonly writer: ClientBase,
    private readonly reader: ClientBase,
    private readonly of: Rebuildable,
    private readonly table: string,
  ) {
    this.#columns = Object.keys(REBUILDABLE[of].writer.columns);
  }

  /** From the first event to the last. `onProgress` is told how many events have been read so far. */
  async fill(onProgress: (events: number) => void): Promise<{ events: number; rows: number }> {
    const total = { events: 0, rows: 0 };
    let written = Promise.resolve();
    let rows: CopiedRow[] = [];
    const write = async () => {
      await written;
      total.rows += rows.length;
      written = this.copy(rows);
      // It is awaited before the next one; until then a failure of the reader would leave this one unheard.
      written.catch(() => undefined);
      rows = [];
    };
    for await (const streams of scanStreams(this.reader)) {
      for (const stream of streams) {
        total.events += stream.length;
        rows.push(...this.rowsOf(stream));
      }
      if (rows.length >= ROWS_AT_ONCE) await write();
      onProgress(total.events);
    }
    await write();
    await written;
    return total;
  }

  /** Makes the rows of streams that have changed anew, until at most `left` of them were found at a time. */
  async catchUp(changed: ChangedStreams, left: number): Promise<void> {
    const { key } = REBUILDABLE[this.of];
    for (let found = Infinity; found > left;) {
      const names = await changed.next();
      found = names.length;
      if (found === 0) return;
      const streams = await readStreams(this.reader, names);
      await this.writer.query(`delete from ${this.table} where ${key} = any($1)`, [names.map(keyOf)]);
      await this.copy(streams.flatMap((stream) => this.rowsOf(stream)));
    }
  }

  private rowsOf(stream: StoredStream): readonly CopiedRow[] {
    return rowsOfStream(REBUILDABLE[this.of].writer, stream) as readonly CopiedRow[];
  }

  private copy(rows: readonly CopiedRow[]): Promise<void> {
    return copyRows(this.writer, this.table, this.#columns, rows);
  }
}
