import type { ClientBase } from 'pg';
import { copyRows } from '#database/copy-rows';
import type { CopiedRow } from '#database/copy-text';
import type { EventArchive } from '#event-store/event-archive';
import { readStreams, scanStreams, type StoredStream } from '#event-store/stream-scan';
import type { ChangedStreams } from './changed-streams.js';
import { type ReadModel, REBUILDABLE, type Rebuildable } from './rebuildable.js';

// Rows for one COPY. With fewer, the cost of the COPY shows; with more, the rows reach the old generation before they are garbage.
const BATCH_ROWS = 500;

/** What reads the log. */
export type ReadLog = Readonly<{ client: ClientBase; archive: EventArchive | undefined }>;

export class TableFilling {
  /** `table` must have the shape of the read model `of`. Reads and writes overlap. */
  constructor(
    private readonly writer: ClientBase,
    private readonly log: ReadLog,
    private readonly of: Rebuildable,
    private readonly table: string,
  ) {}

  /** `onProgress` gets the number of events read so far. */
  async fill(onProgress: (events: number) => void): Promise<{ events: number; rows: number }> {
    const total = { events: 0, rows: 0 };
    let written = Promise.resolve();
    let rows: CopiedRow[] = [];
    const write = async () => {
      await written;
      total.rows += rows.length;
      written = this.copy(rows);
      // The loop awaits this before the next one. Until then, a failure of the reader would leave this rejection unhandled.
      written.catch(() => undefined);
      rows = [];
    };
    for await (const streams of scanStreams(this.log.client, this.log.archive)) {
      for (const stream of streams) {
        total.events += stream.length;
        rows.push(...this.rowsOf(stream));
      }
      if (rows.length >= BATCH_ROWS) await write();
      onProgress(total.events);
    }
    await write();
    await written;
    return total;
  }

  /** Continues until a step finds at most `left` streams. */
  async catchUp(changed: ChangedStreams, left: number): Promise<void> {
    const { key, keyOf } = REBUILDABLE[this.of];
    for (let found = Infinity; found > left;) {
      const names = await changed.next();
      found = names.length;
      if (found === 0) return;
      const streams = await readStreams(this.log.client, names, this.log.archive);
      await this.writer.query(`delete from ${this.table} where ${key} = any($1)`, [names.map(keyOf)]);
      await this.copy(streams.flatMap((stream) => this.rowsOf(stream)));
    }
  }

  /** Takes over what the events do not say. The table is complete then. */
  async keep(): Promise<void> {
    const { kept }: ReadModel = REBUILDABLE[this.of];
    if (kept) await this.writer.query(kept(this.of, this.table));
  }

  private rowsOf(stream: StoredStream): readonly CopiedRow[] {
    return REBUILDABLE[this.of].rows(stream) as readonly CopiedRow[];
  }

  private copy(rows: readonly CopiedRow[]): Promise<void> {
    return copyRows(this.writer, this.table, REBUILDABLE[this.of].columns, rows);
  }
}
