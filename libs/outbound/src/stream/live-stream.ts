import type { Writable } from 'node:stream';
import type { ConnectionConfig } from '#database/pool';
import type { StreamOwner } from '#accounts/caller';
import { ChannelListener } from './channel-listener.js';
import { LiveReader, LiveReaders } from './live-readers.js';
import { PING_STREAM_CHANNEL } from '../ping-stream.projection.js';
import type { StreamEnd } from '../ping-stream.contract.js';
import type { PingStreamReader } from './ping-stream-reader.js';
import { type Batch, PingTail } from './ping-tail.js';
import { framesOf, connectedFrame } from './sse-frames.js';
import { matcherOf, type StreamFilter } from './stream-filter.js';

export type LiveStreamOptions = Readonly<{
  reader: PingStreamReader;
  connection: ConnectionConfig;
  /** Must not throw. */
  onError: (error: unknown) => void;
}>;

export type NewReader = Readonly<{
  sink: Writable;
  filter: StreamFilter;
  /** Undefined means new entries only. */
  after: number | undefined;
  end: StreamEnd;
  /** Undefined for a reader whose right cannot end. */
  owner?: StreamOwner | undefined;
}>;

// An entry has about 360 bytes, so a page stays below the limit of unread data.
const CATCH_UP_PAGE = 500;
const DRAIN_TIMEOUT_MS = 30_000;
const HEARTBEAT_MS = 15_000;
// A check reads what holds now, or what a read of the last second has found. So a revocation takes effect within 5 s.
const OWNER_CHECK_MS = 2_000;
// Writing to one reader takes about 4 µs, so this interval uses at most an eighth of the process's time. The maximum is half of the
// 100 ms that an entry may take.
const INTERVAL_MS_PER_READER = 0.03;
const LONGEST_INTERVAL_MS = 50;
const SHORTEST_INTERVAL_MS = 2;

export type Wait = Readonly<{
  filter: StreamFilter;
  after: number;
  withinMs: number;
  signal: AbortSignal;
  /** Undefined for a reader whose right cannot end. */
  owner?: StreamOwner | undefined;
}>;

type Waiting = Readonly<{ end: () => void; owner: StreamOwner | undefined }>;

/** Serves all live readers of this process with one listening connection and one query per batch. */
export class LiveStream {
  readonly #options: LiveStreamOptions;
  readonly #readers = new LiveReaders();
  readonly #tail: PingTail;
  readonly #listener: ChannelListener;
  /** The long polls. The key checks each batch. */
  readonly #waiting = new Map<(batch: Batch) => void, Waiting>();
  readonly #catchingUp = new Set<LiveReader>();
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
      isNeeded: () => this.readerCount > 0,
      intervalMs: () =>
        Math.min(LONGEST_INTERVAL_MS, SHORTEST_INTERVAL_MS + this.#readers.count * INTERVAL_MS_PER_READER),
    });
    this.#listener = new ChannelListener({
      connection,
      channel: PING_STREAM_CHANNEL,
      onNotification: () => this.#tail.wake(),
      onError,
    });
  }

  get readerCount(): number {
    return this.#readers.count + this.#catchingUp.size + this.#waiting.size;
  }

  get counts(): Readonly<{ live: number; catching_up: number; waiting: number }> {
    return { live: this.#readers.count, catching_up: this.#catchingUp.size, waiting: this.#waiting.size };
  }

  /** Readers that were disconnected because they read too slowly. */
  get droppedCount(): number {
    return this.#readers.droppedCount;
  }

  get ended(): boolean {
    return this.#ended;
  }

  async serve({ sink, filter, after, end: streamEnd, owner }: NewReader): Promise<void> {
    if (this.#ended || sink.destroyed) return void sink.end();
    const reader = new LiveReader(sink, filter, owner, after ?? 0);
    this.#catchingUp.add(reader);
    sink.on('error', () => sink.destroy());
    sink.once('close', () => this.#forget(reader));
    try {
      this.#start();
      sink.write(connectedFrame(streamEnd));
      await this.#tail.follow();
      if (after === undefined) reader.position = this.#tail.position;
      await this.#catchUp(reader);
    } catch (error) {
      // The reader reconnects for the rest.
      if (!sink.destroyed && !this.#ended) this.#options.onError(error);
      sink.destroy();
    }
  }

  /** Also ends when the right of the owner has ended. The caller has to look. */
  async waitForEntry({ filter, after, withinMs, signal, owner }: Wait): Promise<void> {
    const { promise, resolve } = withResolvers();
    const matches = matcherOf(filter);
    const check = ({ entries }: Batch) => {
      if (entries.some((entry) => entry.position > after && matches(entry))) resolve();
    };
    this.#waiting.set(check, { end: resolve, owner });
    const timer = setTimeout(resolve, withinMs);
    signal.addEventListener('abort', resolve);
    try {
      if (signal.aborted || this.#ended) return;
      this.#start();
      await this.#tail.follow();
      const recent = this.#tail.since(after);
      if (!recent) return;
      check(recent);
      await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', resolve);
      this.#waiting.delete(check);
    }
  }

  /** Call this after the database was restored. The readers learn about it when they reconnect. */
  forget(): void {
    this.#tail.forget();
    this.#endAll();
  }

  async stop(): Promise<void> {
    this.#ended = true;
    for (const timer of this.#timers) clearInterval(timer);
    this.#endAll();
    await Promise.all([this.#tail.stop(), this.#listener.stop()]);
  }

  #endAll(): void {
    for (const { sink } of [...this.#readers.all(), ...this.#catchingUp]) end(sink);
    for (const waiting of this.#waiting.values()) waiting.end();
  }

  #start(): void {
    this.#listener.start();
    if (this.#timers.length > 0) return;
    this.#timers = [
      setInterval(() => this.#readers.heartbeat(this.#tail.position), HEARTBEAT_MS).unref(),
      setInterval(() => void this.#endRevoked(), OWNER_CHECK_MS).unref(),
    ];
  }

  async #catchUp(reader: LiveReader): Promise<void> {
    const { sink, filter } = reader;
    while (!reader.closed && !sink.writableEnded) {
      const missing = this.#tail.since(reader.position);
      if (missing) {
        // Synchronous, so no batch can be published in between.
        this.#catchingUp.delete(reader);
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
    for (const check of this.#waiting.keys()) check(batch);
  }

  #forget(reader: LiveReader): void {
    reader.closed = true;
    this.#catchingUp.delete(reader);
    this.#readers.remove(reader);
  }

  async #endRevoked(): Promise<void> {
    const readers: Waiting[] = [
      ...[...this.#readers.all(), ...this.#catchingUp].map(({ sink, owner }) => ({ owner, end: () => end(sink) })),
      ...this.#waiting.values(),
    ];
    const owners = new Map(readers.flatMap(({ owner }) => (owner ? [[owner.id, owner]] : [])));
    const endReaders = async ({ id, isValid }: StreamOwner) => {
      // If the check fails, the readers stay.
      if (await isValid().catch(() => true)) return;
      for (const { owner, end } of readers) if (owner?.id === id) end();
    };
    await Promise.all([...owners.values()].map(endReaders));
  }
}

function end(sink: Writable): void {
  sink.end();
  // A slow reader must not delay the shutdown. It gets the rest after it reconnects.
  if (sink.writableLength > 0) sink.destroy();
}

async function drained(sink: Writable): Promise<void> {
  const { promise, resolve } = withResolvers();
  const timer = setTimeout(() => sink.destroy(), DRAIN_TIMEOUT_MS);
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
