import type { Writable } from 'node:stream';
import type { StreamedPing } from './ping-stream-reader.js';
import type { Batch } from './ping-tail.js';
import { framesOf, HEARTBEAT, heartbeatAt } from './sse-frames.js';
import { filterKey, hasFilter, type Matches, matcherOf, type StreamFilter } from './stream-filter.js';

/** Who gets the stream as it grows. */
export class LiveReader {
  closed = false;

  constructor(
    readonly sink: Writable,
    readonly filter: StreamFilter,
    /** Whose credential this is; undefined for one that cannot be taken back while we run. */
    readonly owner: string | undefined,
    /** All up to here was written to it, or is not for it. */
    public position: number,
  ) {}
}

/** Readers with the same filter: what is for one of them is for all. */
type Group = { matches: Matches; filtered: boolean; readers: Set<LiveReader> };

// What a reader may not have taken of what was written before, beyond the buffers of the two kernels: some 700 entries.
const MOST_BUFFERED_BYTES = 256 * 1024;

/** The readers that have all there is. Each batch is put into words once for all of them that have the same filter. */
export class LiveReaders {
  readonly #groups = new Map<string, Group>();
  #count = 0;
  #cutOff = 0;

  get count(): number {
    return this.#count;
  }

  /** How many there were that did not take what they were sent. */
  get slow(): number {
    return this.#cutOff;
  }

  /** From now on the reader gets what is published; `missing` is what came since its position. */
  add(reader: LiveReader, missing: Batch): void {
    const key = filterKey(reader.filter);
    const group = this.#groups.get(key) ?? {
      matches: matcherOf(reader.filter),
      filtered: hasFilter(reader.filter),
      readers: new Set(),
    };
    this.#groups.set(key, group);
    group.readers.add(reader);
    this.#count += 1;
    this.#hand(reader, framesOf(missing.entries.filter(group.matches)), missing.upTo);
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
        const own = reader.position > batch.after ? framesOf(behind(reader.position, entries)) : frames;
        this.#hand(reader, own, batch.upTo);
      }
    }
  }

  /** Keeps proxies from closing what seems idle. `position` is that of the newest entry published. */
  beat(position: number): void {
    const at = heartbeatAt(position);
    for (const { filtered, readers } of this.#groups.values()) {
      for (const reader of readers) {
        // Ahead of us is who asked for what is yet to come.
        this.#hand(reader, filtered && reader.position <= position ? at : HEARTBEAT, reader.position);
      }
    }
  }

  /** A copy: the readers may change while it is gone through. */
  all(): LiveReader[] {
    return [...this.#groups.values()].flatMap(({ readers }) => [...readers]);
  }

  #hand(reader: LiveReader, frames: Buffer, upTo: number): void {
    const { sink } = reader;
    reader.position = Math.max(reader.position, upTo);
    if (frames.length === 0 || reader.closed || sink.destroyed || sink.writableEnded) return;
    if (sink.writableLength <= MOST_BUFFERED_BYTES) {
      sink.write(frames);
      return;
    }
    // It comes back and reads on from where it was, at its own pace.
    this.#cutOff += 1;
    sink.destroy();
  }
}

function behind(position: number, entries: readonly StreamedPing[]): readonly StreamedPing[] {
  return entries.filter((entry) => entry.position > position);
}
