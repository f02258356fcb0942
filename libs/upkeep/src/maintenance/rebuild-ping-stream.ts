import type { ClientBase, Pool } from 'pg';
import { asOnlyRebuild, exchange, type RebuildProgress, type RebuildReport } from '#orders/rebuild';
import { SecondTable } from '#orders/second-table';
import { MONEY_STREAM_COLUMNS, moneyRowsOf } from '#outbound/money-stream.projection';
import { PING_STREAM, PING_STREAM_COLUMNS, pingRowsOf } from '#outbound/ping-stream.projection';

// Feed positions per statement. Takes PostgreSQL about a second.
const POSITIONS_AT_ONCE = 100_000;

type StreamTable = Readonly<{ name: string; columns: string; rows: string }>;

/** What one subscription writes. As a join, each statement would read the whole log. */
const TABLES: readonly StreamTable[] = [
  { name: 'ping_stream', columns: PING_STREAM_COLUMNS, rows: pingRowsOf('offset 0') },
  { name: 'money_stream', columns: MONEY_STREAM_COLUMNS, rows: moneyRowsOf('offset 0') },
];

/**
 * Fills a second `ping_stream` and swaps it in while reads and writes continue, and then the same for what webhooks tell of money. Entries keep
 * positions and ids, so readers do not notice. Needs the owner's pool without a statement timeout.
 * @throws TablesInUse, with nothing changed
 */
export async function rebuildPingStream(
  pool: Pool,
  onProgress: (progress: RebuildProgress) => void = () => undefined,
): Promise<RebuildReport> {
  return await asOnlyRebuild(pool, async (writer) => {
    const reports: RebuildReport[] = [];
    for (const table of TABLES) reports.push(await rebuildTable(writer, table, onProgress));
    return reports.reduce(together);
  });
}

async function rebuildTable(
  writer: ClientBase,
  table: StreamTable,
  onProgress: (progress: RebuildProgress) => void,
): Promise<RebuildReport> {
  const began = performance.now();
  const second = await SecondTable.beside(writer, table.name);
  const filling = new Filling(writer, { ...table, name: second.name });
  await filling.catchUp((events) => onProgress({ step: 'filling', events }));
  const { position: events, rows } = filling;
  const filled = performance.now();
  onProgress({ step: 'indexing', events });
  await second.complete();
  const indexed = performance.now();
  onProgress({ step: 'catching up', events });
  await filling.catchUp();
  onProgress({ step: 'swapping', events });
  const swapMs = await exchange(second, () => filling.catchUp());
  const ended = performance.now();
  return { events, rows, fillMs: filled - began, indexMs: indexed - filled, swapMs, totalMs: ended - began };
}

/** The events are the same, and readers wait for one swap at a time. */
function together(one: RebuildReport, other: RebuildReport): RebuildReport {
  return {
    events: Math.max(one.events, other.events),
    rows: one.rows + other.rows,
    fillMs: one.fillMs + other.fillMs,
    indexMs: one.indexMs + other.indexMs,
    swapMs: Math.max(one.swapMs, other.swapMs),
    totalMs: one.totalMs + other.totalMs,
  };
}

class Filling {
  position = 0;
  rows = 0;

  constructor(
    private readonly writer: ClientBase,
    private readonly table: StreamTable,
  ) {}

  /** Fills up to the checkpoint. The subscription writes later entries into the table that is in place then. */
  async catchUp(onProgress: (events: number) => void = () => undefined): Promise<void> {
    const { rows } = await this.writer.query<{ position: number }>(
      'select position from subscriptions where name = $1',
      [PING_STREAM],
    );
    const end = rows[0]?.position ?? 0;
    while (this.position < end) {
      const upTo = Math.min(end, this.position + POSITIONS_AT_ONCE);
      const { rowCount } = await this.writer.query(
        `insert into ${this.table.name} (${this.table.columns})
         ${this.table.rows} and f.position > $1 and f.position <= $2 order by f.position`,
        [this.position, upTo],
      );
      this.rows += rowCount ?? 0;
      this.position = upTo;
      onProgress(this.position);
    }
  }
}
