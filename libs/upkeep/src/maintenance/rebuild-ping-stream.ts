import type { ClientBase, Pool } from 'pg';
import { asOnlyRebuild, exchange, type RebuildProgress, type RebuildReport } from '#orders/rebuild';
import { SecondTable } from '#orders/second-table';
import { PING_STREAM, PING_STREAM_COLUMNS, PING_STREAM_ROWS } from '#outbound/ping-stream.projection';

// Feed positions per statement. Takes PostgreSQL about a second.
const POSITIONS_AT_ONCE = 100_000;

/**
 * Fills a second `ping_stream` and swaps it in while reads and writes continue. Entries keep positions and ids, so readers do not notice.
 * Needs the owner's pool without a statement timeout.
 * @throws TablesInUse, with nothing changed
 */
export async function rebuildPingStream(
  pool: Pool,
  onProgress: (progress: RebuildProgress) => void = () => undefined,
): Promise<RebuildReport> {
  return await asOnlyRebuild(pool, async (writer) => {
    const began = performance.now();
    const second = await SecondTable.beside(writer, 'ping_stream');
    const filling = new Filling(writer, second.name);
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
  });
}

class Filling {
  position = 0;
  rows = 0;

  constructor(
    private readonly writer: ClientBase,
    private readonly table: string,
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
        `insert into ${this.table} (${PING_STREAM_COLUMNS})
         ${PING_STREAM_ROWS} and f.position > $1 and f.position <= $2 order by f.position`,
        [this.position, upTo],
      );
      this.rows += rowCount ?? 0;
      this.position = upTo;
      onProgress(this.position);
    }
  }
}
