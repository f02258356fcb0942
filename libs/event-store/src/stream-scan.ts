import type { ClientBase } from 'pg';
import type { Metadata, RecordedEvent } from './event.js';

/** An event with its texts as they stand in the log; they are parsed when somebody looks. */
export class StoredEvent implements RecordedEvent {
  readonly stream: string;
  readonly position: number;
  readonly event_id: string;
  readonly type: string;
  readonly dataText: string;
  readonly metadataText: string;
  readonly recorded_at: string;
  /** `\x` and hex. */
  readonly hash: string;
  #data: object | undefined;

  constructor([stream, position, id, type, data, metadata, recordedAt, hash]: EventTexts) {
    this.stream = stream;
    this.position = Number(position);
    this.event_id = id;
    this.type = type;
    this.dataText = data;
    this.metadataText = metadata;
    this.recorded_at = isoTime(recordedAt);
    this.hash = hash;
  }

  get data(): object {
    return (this.#data ??= JSON.parse(this.dataText) as object);
  }

  get metadata(): Metadata {
    return JSON.parse(this.metadataText) as Metadata;
  }
}

/** All events of one stream, first to last. */
export type StoredStream = readonly [StoredEvent, ...StoredEvent[]];
type StoredStreams = [StoredEvent, ...StoredEvent[]][];

// Small enough that a batch is garbage before the collector would move it to the old generation.
const BATCH = 500;

/**
 * All streams there are, each whole, a few hundred events at a time; the next are read while these are worked on. Holds no
 * snapshot of its own: a stream that is appended to meanwhile is given as it was or as it is, and a new one perhaps not at
 * all. To be called on a session that `prepareScan` was called on.
 *
 * @example
 * for await (const streams of scanStreams(client)) for (const events of streams) count += events.length;
 */
export async function* scanStreams(client: ClientBase): AsyncGenerator<readonly StoredStream[]> {
  let open: StoredEvent[] = [];
  let page = readPage(client, { stream: '', position: 0 });
  for (;;) {
    const events = await page;
    const last = events.at(-1);
    if (!last) break;
    page = readPage(client, last);
    // Where the consumer stops before the end, nobody waits for it any more.
    page.catch(() => undefined);
    const streams = byStream([...open, ...events]);
    open = streams.pop() ?? [];
    if (streams.length > 0) yield streams;
  }
  yield byStream(open);
}

/** The streams of these names as they stand now; those that do not exist are left out. */
export async function readStreams(client: ClientBase, names: readonly string[]): Promise<StoredStream[]> {
  const text = `select ${COLUMNS} from events where stream = any($1) order by stream, position`;
  return byStream(await readEvents(client, text, [names]));
}

/**
 * For the session that scans. Whatever the planner believes of the log, each page is read by the primary key: anything else
 * would sort all of it for each.
 */
export async function prepareScan(client: ClientBase): Promise<void> {
  await client.query(`
    set timezone = 'UTC'; set datestyle = 'ISO'; set bytea_output = 'hex'; set jit = off;
    set enable_seqscan = off; set enable_bitmapscan = off`);
}

const COLUMNS = 'stream, position, event_id, type, data, metadata, recorded_at, hash';
type EventTexts = readonly [string, string, string, string, string, string, string, string];

const PAGE = `select ${COLUMNS} from events where (stream, position) > ($1, $2) order by stream, position limit ${BATCH}`;

function readPage(client: ClientBase, { stream, position }: { stream: string; position: number }) {
  return readEvents(client, PAGE, [stream, position]);
}

async function readEvents(client: ClientBase, text: string, values: unknown[]): Promise<StoredEvent[]> {
  // Everything as its text: pg would parse each document and make a Date of each time, which nearly nobody looks at.
  const types = { getTypeParser: () => (value: string) => value };
  const { rows } = await client.query<[...EventTexts]>({ text, values, rowMode: 'array', types });
  return rows.map((texts) => new StoredEvent(texts));
}

/**
 * Postgres' text of a timestamptz(3) in UTC, e.g. `2026-11-21 12:00:00.5+00`, as ISO 8601 with milliseconds. What is of
 * another form (nothing that we write is) stays as it is.
 */
export function isoTime(text: string): string {
  const parts = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?\+00$/.exec(text);
  return parts ? `${parts[1]}T${parts[2]}.${(parts[3] ?? '').padEnd(3, '0')}Z` : text;
}

/** Events of one stream stand together here. */
function byStream(events: readonly StoredEvent[]): StoredStreams {
  const streams: StoredStreams = [];
  for (const event of events) {
    const current = streams.at(-1);
    if (current?.[0].stream === event.stream) current.push(event);
    else streams.push([event]);
  }
  return streams;
}
