import type { Writable } from 'node:stream';
import type { ConnectionConfig } from '#database/pool';
import { ChannelListener } from './channel-listener.js';
import { LiveReader, LiveReaders } from './live-readers.js';
import { PING_STREAM_CHANNEL } from './ping-stream.projection.js';
import type { PingStreamReader, StreamEnd } from './ping-stream-reader.js';
import { type Batch, PingTail } from './ping-tail.js';
import { framesOf, helloOf } from './sse-frames.js';
import { matcherOf, type StreamFilter } from './stream-filter.js';

export type LiveStreamOptions = Readonly<{
  reader: PingStreamReader;
  /** For the one connection of this process that listens. */
  connection: ConnectionConfig;
  /** Whether the owner of a reader may still read. */
  isAdmitted: (owner: string) => Promise<boolean>;
  /** Must not throw. */
  onError: (error: unknown) => void;
}>;

export type NewReader = Readonly<{
  sink: Writable;
  filter: StreamFilter;
  /** The position after which it reads on; undefined: what comes from now on. */
  after: number | undefined;
  /** As it was when the reader was let in. */
  end: StreamEnd;
  owner?: string | undefined;
}>;

// An entry is some 360 bytes: a page stays below what a reader may leave in our memory.
const CATCH_UP_PAGE = 500;
const DRAINS_WITHIN_MS = 30_000;
const HEARTBEAT_MS = 15_000;
// With the time after which a list of tokens is read again (revalidating-cache.ts), a revocation is felt within 5 s.
const ADMISSION_MS = 2_000;
// To write to one reader takes some 4 µs of this process: at most an eighth of its time. And at most half of the 100 ms that an
// entry may take.
const PACE_MS_A_READER = 0.03;
const SLOWEST_PACE_MS = 50;
const FASTEST_PACE_MS = 2;

/** The end of the stream for all readers of this process: one connection listens, one query a batch reads. */
export class LiveStream {
  readonly #options: LiveStreamOptions;
  readonly #readers = new LiveReaders();
  readonly #tail: PingTail;
  readonly #listener: ChannelListener;
  /** Who waits for something to come: how to show a batch, and how to end the wait. */
  readonly #waiting = new Map<(batch: Batch) => void, () => void>();
  readonly #joining = new Set<LiveReader>();
  #ended = false;
  #timers: NodeJS.Timeout[] = [];

  constructor(options: LiveStreamOptions) {
    this.#options = options;
    const { reader, connection, onError } = options;
    this.#tail = new PingTail({
      latest: (limit) => reader.latest(limit),
      read: (query) => reader.entries(query),
      onBatch: (batch) => this.#publish(batch),
      onError,
      isWanted: () => this.busy > 0,
      paceMs: () => Math.min(SLOWEST_PACE_MS, FASTEST_PACE_MS + this.#readers.count * PACE_MS_A_READER),
    });
    this.#listener = new ChannelListener({
      connection,
      channel: PING_STREAM_CHANNEL,
      onTold: () => this.#tail.wake(),
      onError,
    });
  }

  /** Readers of all kinds, also those that wait for something to come. */
  get busy(): number {
    return this.#readers.count + this.#joining.size + this.#waiting.size;
  }

  /** Readers that have all there is, those that are catching up, and those that wait for a page. */
  get counts(): Readonly<{ live: number; catching_up: number; waiting: number }> {
    return { live: this.#readers.count, catching_up: this.#joining.size, waiting: this.#waiting.size };
  }

  /** How many readers there were that did not take what they were sent. */
  get slow(): number {
    return this.#readers.slow;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Writes to the sink what comes after a position and then whatever comes, until one side ends it. */
  async serve({ sink, filter, after, end: known, owner }: NewReader): Promise<void> {
    if (this.#ended || sink.destroyed) return void sink.end();
    const reader = new LiveReader(sink, filter, owner, after ?? 0);
    this.#joining.add(reader);
    sink.on('error', () => sink.destroy());
    sink.once('close', () => this.#forget(reader));
    try {
      this.#start();
      sink.write(helloOf(known));
      await this.#tail.follow();
      if (after === undefined) reader.position = this.#tail.position;
      await this.#catchUp(reader);
    } catch (error) {
      // It comes back for the rest.
      if (!sink.destroyed && !this.#ended) this.#options.onError(error);
      sink.destroy();
    }
  }

  /** Waits until the stream has an entry for this filter after the position, at most so long. */
  async untilGrown(filter: StreamFilter, after: number, withinMs: number, left: AbortSignal): Promise<void> {
    const { promise, resolve } = withResolvers();
    const matches = matcherOf(filter);
    const look = ({ entries }: Batch) => {
      if (entries.some((entry) => entry.position > after && matches(entry))) resolve();
    };
    this.#waiting.set(look, resolve);
    const timer = setTimeout(resolve, withinMs);
    left.addEventListener('abort', resolve);
    try {
      if (left.aborted || this.#ended) return;
      this.#start();
      await this.#tail.follow();
      const recent = this.#tail.since(after);
      if (!recent) return;
      look(recent);
      await promise;
    } finally {
      clearTimeout(timer);
      left.removeEventListener('abort', resolve);
      this.#waiting.delete(look);
    }
  }

  /** After the database was restored: all streams end, and their readers are told of it when they come back. */
  forget(): void {
    this.#tail.forget();
    this.#endAll();
  }

  /** Ends all streams properly: their readers come back to another process. */
  async stop(): Promise<void> {
    this.#ended = true;
    for (const timer of this.#timers) clearInterval(timer);
    this.#endAll();
    await Promise.all([this.#tail.stop(), this.#listener.stop()]);
  }

  #endAll(): void {
    for (const { sink } of [...this.#readers.all(), ...this.#joining]) end(sink);
    for (const resolve of this.#waiting.values()) resolve();
  }

  #start(): void {
    this.#listener.start();
    if (this.#timers.length > 0) return;
    this.#timers = [
      setInterval(() => this.#readers.beat(this.#tail.position), HEARTBEAT_MS).unref(),
      setInterval(() => void this.#dismiss(), ADMISSION_MS).unref(),
    ];
  }

  async #catchUp(reader: LiveReader): Promise<void> {
    const { sink, filter } = reader;
    while (!reader.closed && !sink.writableEnded) {
      const missing = this.#tail.since(reader.position);
      if (missing) {
        // In one go: nothing can be published between what is missing and what comes.
        this.#joining.delete(reader);
        this.#readers.add(reader, missing);
        return;
      }
      const page = await this.#options.reader.entries({ after: reader.position, limit: CATCH_UP_PAGE, filter });
      if (page.entries.length > 0 && !reader.closed && !sink.writableEnded) sink.write(framesOf(page.entries));
      reader.position = page.next;
      if (sink.writableNeedDrain) await drained(sink);
    }
  }

  #publish(batch: Batch): void {
    this.#readers.publish(batch);
    for (const look of this.#waiting.keys()) look(batch);
  }

  #forget(reader: LiveReader): void {
    reader.closed = true;
    this.#joining.delete(reader);
    this.#readers.remove(reader);
  }

  /** Ends the streams of those whose token was revoked. */
  async #dismiss(): Promise<void> {
    const readers = [...this.#readers.all(), ...this.#joining];
    for (const owner of new Set(readers.map((reader) => reader.owner))) {
      if (owner === undefined) continue;
      // While nobody can be asked nobody is sent away.
      const admitted = await this.#options.isAdmitted(owner).catch(() => true);
      if (!admitted) for (const { sink } of readers.filter((reader) => reader.owner === owner)) end(sink);
    }
  }
}

function end(sink: Writable): void {
  sink.end();
  // Who is slow to take the rest must hold up nothing: it finds that elsewhere.
  if (sink.writableLength > 0) sink.destroy();
}

/** Until the sink has taken what was written, or is closed; who takes nothing for so long is cut off. */
async function drained(sink: Writable): Promise<void> {
  const { promise, resolve } = withResolvers();
  const timer = setTimeout(() => sink.destroy(), DRAINS_WITHIN_MS);
  sink.once('drain', resolve).once('close', resolve);
  await promise;
  clearTimeout(timer);
  sink.off('drain', resolve).off('close', resolve);
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => undefined as void;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
