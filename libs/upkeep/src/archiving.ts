import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ClientBase, Pool } from 'pg';
import { prepareScan, readStreams } from '#event-store/stream-scan';
import { asOnlyRebuild } from '#orders/rebuild';
import type { ObjectStore } from '#platform/object-store';
import { ADD_SEGMENT, ADD_STREAMS, CLOSED_ORDERS, TAKE_TEXTS } from './archive/archive-statements.js';
import { SegmentLines } from './archive/segment-lines.js';

export type Archived = Readonly<{ segments: number; orders: number; events: number; bytes: number }>;

type ArchivingOptions = Readonly<{
  /** Only orders that were placed and last changed before. */
  before: Date;
  /** The size at which a file ends. */
  segmentBytes?: number;
  onSegment?: (archived: Archived) => void;
}>;

// In memory as a whole, and read back as a whole.
const SEGMENT_BYTES = 16 * 2 ** 20;
const ORDERS_AT_ONCE = 200;

/**
 * Writes the events of closed orders into files, reads each file back, and takes the texts out of the log in the transaction that records
 * the file. Interrupted anywhere, it goes on when it is called again; a file without its record is written anew. The pool is the owner's,
 * without a statement timeout, with two free connections.
 * @throws TablesInUse during a rebuild or a verification
 */
export async function archiveOrders(pool: Pool, files: ObjectStore, options: ArchivingOptions): Promise<Archived> {
  return await asOnlyRebuild(pool, async (writer) => {
    const reader = await pool.connect();
    try {
      await prepareScan(reader);
      return await new Archiving({ reader, writer, files }, options).run();
    } finally {
      reader.release(true);
    }
  });
}

class Archiving {
  #archived: Archived = { segments: 0, orders: 0, events: 0, bytes: 0 };

  constructor(
    private readonly at: Readonly<{ reader: ClientBase; writer: ClientBase; files: ObjectStore }>,
    private readonly options: ArchivingOptions,
  ) {}

  async run(): Promise<Archived> {
    const { before, segmentBytes = SEGMENT_BYTES } = this.options;
    let segment = new SegmentLines();
    for (let after = ''; ;) {
      const { rows } = await this.at.writer.query<{ id: string; stream: string }>(CLOSED_ORDERS, [
        before,
        after,
        ORDERS_AT_ONCE,
      ]);
      const last = rows.at(-1);
      if (!last) break;
      after = last.id;
      const names = rows.map(({ stream }) => stream);
      for (const stream of await readStreams(this.at.reader, names)) {
        segment.add(stream);
        if (segment.bytes < segmentBytes) continue;
        await this.#finish(segment);
        segment = new SegmentLines();
      }
    }
    if (segment.lines.length > 0) await this.#finish(segment);
    return this.#archived;
  }

  async #finish(segment: SegmentLines): Promise<void> {
    const [first] = segment.lines;
    const key = `archive/${first?.stream}.jsonl`;
    const finished = segment.finish();
    const { content } = finished;
    await this.at.files.put(key, Readable.from([content]), content.length);
    if (!(await buffer(await this.at.files.read(key))).equals(content)) {
      throw new Error(`The file ${key} is not what was written. Nothing was taken out of the log.`);
    }
    await this.#record(key, segment, finished);
    const { segments, orders, events, bytes } = this.#archived;
    this.#archived = {
      segments: segments + 1,
      orders: orders + segment.lines.length,
      events: events + segment.events,
      bytes: bytes + content.length,
    };
    this.options.onSegment?.(this.#archived);
  }

  async #record(
    key: string,
    { lines, events }: SegmentLines,
    finished: ReturnType<SegmentLines['finish']>,
  ): Promise<void> {
    const { content, sha256, merkleRoot } = finished;
    const ends = [lines[0]?.stream, lines.at(-1)?.stream];
    const columns = (['stream', 'start', 'bytes', 'events', 'head'] as const).map((column) => {
      return lines.map((line) => line[column]);
    });
    const { writer } = this.at;
    await writer.query('begin');
    try {
      await writer.query(ADD_SEGMENT, [key, ...ends, lines.length, events, content.length, sha256, merkleRoot]);
      await writer.query(ADD_STREAMS, [key, ...columns]);
      await writer.query(TAKE_TEXTS, [key]);
      // Whoever archives next must find the record, so it is on the disk before the next file begins.
      await writer.query('set local synchronous_commit = on; commit');
    } catch (error) {
      await writer.query('rollback').catch(() => undefined);
      throw error;
    }
  }
}
