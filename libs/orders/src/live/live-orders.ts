import type { Writable } from 'node:stream';
import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { Settings } from '#base/settings';
import { DatabaseEpoch } from '#database/epoch';
import { errorFields, Logger } from '#platform/logger';
import { Metrics } from '#platform/metrics';
import { type ChangePosition, OrderChangeFeed } from './order-change-feed.js';
import type { StreamOwner } from '#accounts/caller';
import { Repeater } from '#base/repeater';
import { HttpError } from '#web/http-error';
import { changesFrame, positionFrame, readPosition, RESET } from './order-change-frames.js';

export type LiveOrdersReader = Readonly<{
  sink: Writable;
  /** The sellers whose orders the reader sees; null for all. */
  sellers: readonly string[] | null;
  /** The id of the last event that the reader has seen. */
  lastEventId: string | undefined;
  owner: StreamOwner | undefined;
}>;

// Changes must show within a second. All readers of a process share one query.
const READ_EVERY_MS = 200;
const HEARTBEAT_EVERY_MS = 15_000;
const OWNER_CHECK_EVERY_MS = 2_000;
// A reader that was away for longer reloads its lists.
const MOST_PAGES_BEHIND = 4;
const MOST_BUFFERED_BYTES = 256 * 1_024;
const RETRY_AFTER_SECONDS = '5';

/** Tells the consoles that are connected to this process which orders change. */
@Injectable()
export class LiveOrders implements OnModuleInit, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly readers = new Set<LiveOrdersReader>();
  private readonly tail = new Repeater(
    () => this.read(),
    { everyMs: READ_EVERY_MS },
    (error) => this.logger.warn(errorFields(error), 'the live changes of orders failed'),
  );
  /** All readers were told of everything up to here. */
  private position: ChangePosition | undefined;
  private timers: NodeJS.Timeout[] = [];
  private stopped: Promise<void> = Promise.resolve();

  constructor(
    private readonly feed: OrderChangeFeed,
    private readonly epoch: DatabaseEpoch,
    private readonly settings: Settings,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge(
      'willcall_console_readers',
      'Consoles that follow the changes of orders',
      undefined,
      async () => ({
        value: this.readers.size,
      }),
    );
    // The readers reconnect and learn that their position is of another database.
    this.epoch.onChange(() => this.endAll());
  }

  beforeApplicationShutdown(): void {
    for (const timer of this.timers) clearInterval(timer);
    this.stopped = this.tail.stop();
    this.endAll();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.stopped;
  }

  refuseWhenFull(): void {
    if (this.readers.size < this.settings.STREAM_MAX_READERS) return;
    throw HttpError.with(50300, 'too many readers', { 'retry-after': RETRY_AFTER_SECONDS });
  }

  /** Writes to the sink until either side ends it. */
  async serve(reader: LiveOrdersReader): Promise<void> {
    const { sink } = reader;
    sink.on('error', () => sink.destroy());
    sink.once('close', () => this.readers.delete(reader));
    this.start();
    try {
      const end = await this.feed.end();
      // Without readers nobody moves the shared position.
      if (this.readers.size === 0 || !this.position) this.position = end;
      // Hearing a change twice does no harm, because it contains the order's current state.
      this.readers.add(reader);
      await this.catchUp(reader, end, this.position);
    } catch (error) {
      this.logger.warn(errorFields(error), 'a console could not follow the changes of orders');
      sink.destroy();
    }
  }

  private async catchUp(reader: LiveOrdersReader, end: ChangePosition, shared: ChangePosition): Promise<void> {
    const epoch = this.epoch.current ?? '';
    let after = readPosition(reader.lastEventId, epoch);
    if (after && (after.feed > end.feed || after.audit > end.audit)) after = undefined;
    if (reader.lastEventId !== undefined && !after) send(reader, RESET);
    for (let page = 0; after; page += 1) {
      if (page === MOST_PAGES_BEHIND) {
        send(reader, RESET);
        break;
      }
      const { changes, position, isLast } = await this.feed.after(after);
      send(reader, changesFrame({ epoch, position, changes, sellers: reader.sellers }));
      if (isLast) break;
      after = position;
    }
    // The oldest position that it may not have heard of: others are told from here on.
    send(reader, positionFrame('position', epoch, shared));
  }

  private async read(): Promise<void> {
    const after = this.position;
    if (this.readers.size === 0 || !after) return;
    const { changes, position } = await this.feed.after(after);
    // Meanwhile the database was replaced, or the last reader left and another one came.
    if (this.position !== after) return;
    this.position = position;
    if (changes.length === 0) return;
    const epoch = this.epoch.current ?? '';
    const all = changesFrame({ epoch, position, changes, sellers: null });
    for (const reader of this.readers) {
      const { sellers } = reader;
      send(reader, sellers ? changesFrame({ epoch, position, changes, sellers }) : all);
    }
  }

  private start(): void {
    if (this.timers.length > 0) return;
    this.tail.start();
    this.timers = [
      setInterval(() => this.heartbeat(), HEARTBEAT_EVERY_MS).unref(),
      setInterval(() => void this.endInvalid(), OWNER_CHECK_EVERY_MS).unref(),
    ];
  }

  /** Its position also moves readers on who may see none of the changes. */
  private heartbeat(): void {
    if (!this.position) return;
    const frame = positionFrame('heartbeat', this.epoch.current ?? '', this.position);
    for (const reader of this.readers) send(reader, frame);
  }

  private async endInvalid(): Promise<void> {
    const owners = new Map([...this.readers].flatMap(({ owner }) => (owner ? [[owner.id, owner]] : [])));
    for (const { id, isValid } of owners.values()) {
      // If the check fails, the readers stay.
      if (await isValid().catch(() => true)) continue;
      for (const { owner, sink } of this.readers) if (owner?.id === id) sink.end();
    }
  }

  private endAll(): void {
    this.position = undefined;
    for (const { sink } of this.readers) {
      sink.end();
      // A slow reader must not delay the shutdown.
      if (sink.writableLength > 0) sink.destroy();
    }
  }
}

function send({ sink }: LiveOrdersReader, frame: Buffer): void {
  if (frame.length === 0 || sink.destroyed || sink.writableEnded) return;
  if (sink.writableLength <= MOST_BUFFERED_BYTES) sink.write(frame);
  // It reconnects and continues after its last event.
  else sink.destroy();
}
