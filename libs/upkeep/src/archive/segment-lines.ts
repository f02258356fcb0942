import { hash } from 'node:crypto';
import type { ArchivedStream } from '#event-store/event-archive';
import { merkleRoot } from '#event-store/merkle-tree';
import type { StoredStream } from '#event-store/stream-scan';

/** Where the line of a stream lies in its file, how many events it has, and the hash of the last one. */
export type ArchivedLine = Readonly<{ stream: string; start: number; bytes: number; events: number; head: Buffer }>;

/** The file that is being made: a line of JSON for each stream, in the order of their names, and the root over their heads. */
export class SegmentLines {
  readonly lines: ArchivedLine[] = [];
  readonly #texts: Buffer[] = [];
  bytes = 0;
  events = 0;

  add(events: StoredStream): void {
    const text = Buffer.from(`${JSON.stringify(archivedStream(events))}\n`);
    const [{ stream, hash: last }] = [events.at(-1) ?? events[0]];
    const head = Buffer.from(last.slice('\\x'.length), 'hex');
    this.lines.push({ stream, start: this.bytes, bytes: text.length, events: events.length, head });
    this.#texts.push(text);
    this.bytes += text.length;
    this.events += events.length;
  }

  /** The file, what it must have when it is read, and the line that says so at its end. */
  finish(): Readonly<{ content: Buffer; sha256: Buffer; merkleRoot: Buffer }> {
    const root = rootOf(this.lines);
    const end = { merkle_root: root.toString('hex'), streams: this.lines.length, events: this.events };
    const content = Buffer.concat([...this.#texts, Buffer.from(`${JSON.stringify(end)}\n`)]);
    return { content, sha256: hash('sha256', content, 'buffer'), merkleRoot: root };
  }
}

/** Over the hashes of the last events, in the order of the lines. */
export function rootOf(lines: readonly Readonly<{ head: Buffer }>[]): Buffer {
  return merkleRoot(lines.map(({ head }) => head));
}

function archivedStream(events: StoredStream): ArchivedStream {
  return {
    stream: events[0].stream,
    events: events.map(({ position, event_id, type, recorded_at, dataText, metadataText, hash: sum }) => ({
      position,
      event_id,
      type,
      recorded_at,
      data: dataText,
      metadata: metadataText,
      hash: sum.slice('\\x'.length),
    })),
  };
}
