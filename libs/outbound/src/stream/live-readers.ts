import type { Writable } from 'node:stream';
import type { StreamOwner } from '#accounts/caller';
import type { StreamedPing } from './ping-stream-reader.js';
import type { Batch } from './ping-tail.js';
import { framesOf, HEARTBEAT, heartbeatAt } from './sse-frames.js';
import { filterKey, hasFilter, type Matches, matcherOf, type StreamFilter } from './stream-filter.js';

export class LiveReader {
  closed = false;

  constructor(
    readonly sink: Writable,
    readonly filter: StreamFilter,
    /** The id of the token. Undefined for a credential that cannot be revoked at run time. */
    readonly owner: StreamOwner | undefined,
    /** All entries up to here were written or filtered out. */
    public position: number,
  ) {}
}

type Group = { matches: Matches; filtered: boolean; readers: Set<LiveReader> };

// What a reader may leave unread, in addition to the kernels' buffers: about 700 entries.
const MOST_BUFFERED_BYTES = 256 * 1024;

/** The readers that have caught up. Each batch is serialized once per filter, not once per reader. */
export class LiveReaders {
  readonly #groups = new Map<string, Group>();
  #count = 0;
  #dropped = 0;

  get count(): number {
    return this.#count;
  }

  get droppedCount(): number {
    return this.#dropped;
  }

  /** `missed` are the entries since the reader's position. */
  add(reader: LiveReader, missed: Batch): void {
    const key = filterKey(reader.filter);
    const group = this.#groups.get(key) ?? {
      matches: matcherOf(reader.filter),
      filtered: hasFilter(reader.filter),
      readers: new Set(),
    };
    this.#groups.set(key, group);
    group.readers.add(reader);
    this.#count += 1;
    this.#send(reader, framesOf(missed.entries.filter(group.matches)), missed.upTo);
  }

  remove(reader: LiveReader): void {
    const key = filterKey(reader.filter);
    const group = this.#groups.get(key);
    if (!group?.readers.delete(reader)) return;
    this.#count -= 1;
    if (group.readers.size === 0) this.#groups.delete(key);
  }

  publish(batch: Batch): void {
    for (const { matches, readers } of this.#groups.values()) {
      const entries = batch.entries.filter(matches);
      const frames = framesOf(entries);
      for (const reader of readers) {
        const missing = reader.position > batch.after ? framesOf(entriesAfter(reader.position, entries)) : frames;
        this.#send(reader, missing, batch.upTo);
      }
    }
  }

  /** Keeps proxies from closing idle connections. `position` is that of the newest published entry. */
  heartbeat(position: number): void {
    const at = heartbeatAt(position);
    for (const { filtered, readers } of this.#groups.values()) {
      for (const reader of readers) {
        // A reader may have asked for a position that is still in the future.
        this.#send(reader, filtered && reader.position <= position ? at : HEARTBEAT, reader.position);
      }
    }
  }

  /** Returns a copy, because readers may leave during the iteration. */
  all(): LiveReader[] {
    return [...this.#groups.values()].flatMap(({ readers }) => [...readers]);
  }

  #send(reader: LiveReader, frames: Buffer, upTo: number): void {
    const { sink } = reader;
    reader.position = Math.max(reader.position, upTo);
    if (frames.length === 0 || reader.closed || sink.destroyed || sink.writableEnded) return;
    if (sink.writableLength <= MOST_BUFFERED_BYTES) {
      sink.write(frames);
      return;
    }
    // The reader reconnects and continues from its last position at its own speed.
    this.#dropped += 1;
    sink.destroy();
  }
}

function entriesAfter(position: number, entries: readonly StreamedPing[]): readonly StreamedPing[] {
  return entries.filter((entry) => entry.position > position);
}
