import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ClientBase, Pool } from 'pg';
import { Injectable } from '@nestjs/common';
import { parseJson } from '#base/json';
import { MissingObject, ObjectStore } from '#platform/object-store';
import type { Metadata } from './event.js';

/** An event in a file of the archive. `hash` is hex. The JSON texts are exactly those that its hash covers. */
export type ArchivedEvent = Readonly<{
  position: number;
  event_id: string;
  type: string;
  recorded_at: string;
  data: string;
  metadata: string;
  hash: string;
}>;

/** A line of a file of the archive: the first events of a stream. */
export type ArchivedStream = Readonly<{ stream: string; events: readonly ArchivedEvent[] }>;

/** The text of `metadata` in the log of an event whose texts only the archive has. Other events have an object. */
export const ARCHIVED = 'null';

/** The texts of an archived event cannot be read: its file is missing, or is not the one that was written. */
export class UnreadableArchive extends Error {
  constructor(readonly stream: string) {
    super(`The archived events of ${stream} cannot be read: willcall verify says what is wrong with their file.`);
    this.name = 'UnreadableArchive';
  }
}

type LoggedTexts = Readonly<{ stream: string; position: number; data: object; metadata: Metadata | null }>;

// One request for lines that are near each other costs less than one for each.
const NEAR_BYTES = 65_536;

/**
 * The texts of old events, which lie in files instead of the log. The log keeps the row of each event: its place, id, type, time and hash.
 * So a stream with archived events is appended to like any other, and the feed has no gaps.
 */
@Injectable()
export class EventArchive {
  constructor(private readonly files: ObjectStore) {}

  /** Rows of the log with the texts that are archived. @throws UnreadableArchive */
  async complete<Row extends LoggedTexts>(db: Pool | ClientBase, rows: Row[]): Promise<Row[]> {
    const archived = rows.filter(isArchived);
    if (archived.length === 0) return rows;
    const streams = await this.read(
      db,
      archived.map(({ stream }) => stream),
    );
    return rows.map((row) => {
      if (!isArchived(row)) return row;
      const event = streams.get(row.stream)?.[row.position - 1];
      if (!event) throw new UnreadableArchive(row.stream);
      return { ...row, data: parseJson(event.data) as object, metadata: parseJson(event.metadata) as Metadata };
    });
  }

  /** The archived events of these streams, by position. Leaves out streams that have none, and those whose file cannot be read. */
  async read(db: Pool | ClientBase, names: readonly string[]): Promise<Map<string, readonly ArchivedEvent[]>> {
    const { rows } = await db.query<PlaceRow>({
      name: 'archived-streams',
      text: PLACES,
      values: [[...new Set(names)]],
    });
    const streams = new Map<string, readonly ArchivedEvent[]>();
    for (const places of nearPlaces(rows.map((row) => ({ ...row, start: Number(row.start) })))) {
      const [{ segment, start }] = places;
      const end = Math.max(...places.map((place) => place.start + place.bytes));
      const content = await this.#part(segment, start, end - start);
      for (const place of places) {
        const from = place.start - start;
        const events = eventsOf(place.stream, content.subarray(from, from + place.bytes));
        if (events) streams.set(place.stream, events);
      }
    }
    return streams;
  }

  /** A whole file. @throws MissingObject */
  async segment(key: string): Promise<Readable> {
    return await this.files.read(key);
  }

  async #part(segment: string, start: number, bytes: number): Promise<Buffer> {
    try {
      return await buffer(await this.files.read(segment, { start, bytes }));
    } catch (error) {
      if (error instanceof MissingObject) return Buffer.alloc(0);
      throw error;
    }
  }
}

function isArchived({ metadata }: LoggedTexts): boolean {
  return metadata === null;
}

type Place = Readonly<{ stream: string; segment: string; start: number; bytes: number }>;
type PlaceRow = Omit<Place, 'start'> & Readonly<{ start: string }>;
type Places = [Place, ...Place[]];

const PLACES = `
  select stream, segment, start, bytes from archived_streams where stream = any($1) order by segment, start`;

/** Groups of lines of one file that are read together. */
function nearPlaces(places: readonly Place[]): Places[] {
  const groups: Places[] = [];
  for (const place of places) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    const isNear = last?.segment === place.segment && place.start - (last.start + last.bytes) <= NEAR_BYTES;
    if (group && isNear) group.push(place);
    else groups.push([place]);
  }
  return groups;
}

/** Undefined if it is not the line of the stream. */
function eventsOf(stream: string, line: Buffer): readonly ArchivedEvent[] | undefined {
  try {
    const archived = parseJson(line.toString()) as ArchivedStream;
    return archived.stream === stream ? archived.events : undefined;
  } catch {
    return undefined;
  }
}
