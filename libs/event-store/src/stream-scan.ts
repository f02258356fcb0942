import type { ClientBase } from 'pg';
import { parseJson } from '#base/json';
import { ARCHIVED, type EventArchive, UnreadableArchive } from './event-archive.js';
import type { Metadata, RecordedEvent } from './event.js';

/** An event with its JSON texts as stored. They are parsed on access only. Those that cannot be read in the archive are `ARCHIVED`. */
class StoredEvent implements RecordedEvent {
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

  /** @throws UnreadableArchive */
  get data(): object {
    if (this.metadataText === ARCHIVED) throw new UnreadableArchive(this.stream);
    return (this.#data ??= parseJson(this.dataText) as object);
  }

  /** @throws UnreadableArchive */
  get metadata(): Metadata {
    if (this.metadataText === ARCHIVED) throw new UnreadableArchive(this.stream);
    return parseJson(this.metadataText) as Metadata;
  }
}

export type StoredStream = readonly [StoredEvent, ...StoredEvent[]];
type StoredStreams = [StoredEvent, ...StoredEvent[]][];

// No stream has an event there.
const PAST_THE_LAST = 2_147_483_647;

// Small enough that a batch is garbage-collected before it moves to the old generation.
const BATCH = 500;

/**
 * Yields all streams, each complete, a few hundred events at a time, and prefetches the next page. It holds no snapshot: a stream that
 * changes during the scan may appear in its old or new state, and a new one may be missing. Call `prepareScan` first.
 * @param archive without it, archived events have no texts
 * @param after the name of a stream; those up to it are left out
 * @example for await (const streams of scanStreams(client, archive)) for (const events of streams) count += events.length;
 */
export async function* scanStreams(
  client: ClientBase,
  archive?: EventArchive,
  after = '',
): AsyncGenerator<readonly StoredStream[]> {
  let open: StoredEvent[] = [];
  let page = readPage(client, archive, { stream: after, position: PAST_THE_LAST });
  for (;;) {
    const events = await page;
    const last = events.at(-1);
    if (!last) break;
    page = readPage(client, archive, last);
    page.catch(() => undefined);
    const streams = byStream([...open, ...events]);
    open = streams.pop() ?? [];
    if (streams.length > 0) yield streams;
  }
  yield byStream(open);
}

/** Leaves out streams that do not exist. */
export async function readStreams(
  client: ClientBase,
  names: readonly string[],
  archive?: EventArchive,
): Promise<StoredStream[]> {
  const text = `select ${COLUMNS} from events where stream = any($1) order by stream, position`;
  return byStream(await readEvents(client, archive, text, [names]));
}

/** Makes PostgreSQL read each page by primary key whatever its statistics say. Any other plan would sort the whole log for each page. */
export async function prepareScan(client: ClientBase): Promise<void> {
  await client.query(`
    set timezone = 'UTC'; set datestyle = 'ISO'; set bytea_output = 'hex';
    set enable_seqscan = off; set enable_bitmapscan = off`);
}

const COLUMNS = 'stream, position, event_id, type, data, metadata, recorded_at, hash';
type EventTexts = readonly [string, string, string, string, string, string, string, string];

// PostgreSQL leaves out partitions by the plain comparison, not by that of rows.
const PAGE = `
  select ${COLUMNS} from events where stream >= $1 and (stream, position) > ($1, $2)
  order by stream, position limit ${BATCH}`;

function readPage(
  client: ClientBase,
  archive: EventArchive | undefined,
  { stream, position }: { stream: string; position: number },
) {
  return readEvents(client, archive, PAGE, [stream, position]);
}

async function readEvents(
  client: ClientBase,
  archive: EventArchive | undefined,
  text: string,
  values: unknown[],
): Promise<StoredEvent[]> {
  // Raw texts: pg would parse each document and create a Date for each time, and almost none of them are used.
  const types = { getTypeParser: () => (value: string) => value };
  const { rows } = await client.query<[...EventTexts]>({ text, values, rowMode: 'array', types });
  return (await completed(client, archive, rows)).map((texts) => new StoredEvent(texts));
}

/** With the texts that are archived. */
async function completed(
  client: ClientBase,
  archive: EventArchive | undefined,
  rows: readonly EventTexts[],
): Promise<readonly EventTexts[]> {
  const archived = rows.filter(([, , , , , metadata]) => metadata === ARCHIVED);
  if (!archive || archived.length === 0) return rows;
  const streams = await archive.read(
    client,
    archived.map(([stream]) => stream),
  );
  return rows.map((texts): EventTexts => {
    const [stream, position, id, type, , metadata, recordedAt, hash] = texts;
    const event = metadata === ARCHIVED ? streams.get(stream)?.[Number(position) - 1] : undefined;
    return event ? [stream, position, id, type, event.data, event.metadata, recordedAt, hash] : texts;
  });
}

/** From `2026-11-21 12:00:00.5+00` (PostgreSQL, UTC) to ISO 8601 with milliseconds. Returns any other text unchanged. */
export function isoTime(text: string): string {
  const parts = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?\+00$/.exec(text);
  return parts ? `${parts[1]}T${parts[2]}.${(parts[3] ?? '').padEnd(3, '0')}Z` : text;
}

/** Events of one stream must be adjacent. */
function byStream(events: readonly StoredEvent[]): StoredStreams {
  const streams: StoredStreams = [];
  for (const event of events) {
    const current = streams.at(-1);
    if (current?.[0].stream === event.stream) current.push(event);
    else streams.push([event]);
  }
  return streams;
}
