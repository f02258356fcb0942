import type { ServerResponse } from 'node:http';
import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { Clock } from '#base/clock';
import { Settings } from '#base/settings';
import { Metrics } from '#platform/metrics';
import type { StreamOwner } from '#accounts/caller';
import { LiveStream, type NewReader } from './live-stream.js';
import type { StreamEnd } from '../ping-stream.contract.js';
import { type PageText, PingStreamReader, type StreamQuery } from './ping-stream-reader.js';
import { HttpError } from '#web/http-error';
import { epochConflict } from './epoch-conflict.js';

const RETRY_AFTER_SECONDS = '5';

type ReaderQuery = StreamQuery & Readonly<{ epoch?: string | undefined }>;

/** `owner` is undefined for a reader whose right cannot end. */
type PageRequest = Readonly<{ waitMs: number; response: ServerResponse; owner: StreamOwner | undefined }>;

/** Serves the ping stream: pages, with or without waiting, and the live end. */
@Injectable()
export class StreamReading implements OnModuleInit, BeforeApplicationShutdown, OnApplicationShutdown {
  private stopped: Promise<void> = Promise.resolve();

  constructor(
    private readonly reader: PingStreamReader,
    private readonly stream: LiveStream,
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const { metrics, stream } = this;
    metrics.gauge('willcall_stream_readers', 'Readers of the ping stream on this process', 'state', async () => ({
      ...stream.counts,
    }));
    metrics.gauge(
      'willcall_stream_readers_cut_off',
      'Readers since the start that did not take what they were sent',
      undefined,
      async () => ({ value: stream.droppedCount }),
    );
  }

  /** Ends the open streams. Not awaited, because a silent database would keep the server from draining. */
  beforeApplicationShutdown(): void {
    this.stopped = this.stream.stop();
    this.stopped.catch(() => undefined);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.stopped;
  }

  /**
   * The body of the answer. Waits up to `waitMs` for an entry if there is none, and stops waiting when the client disconnects. Throws a 401
   * if the right of the owner ended while it waited.
   */
  async page(query: ReaderQuery, request: PageRequest): Promise<string> {
    const first = await this.read(query, query.epoch);
    const isFull = first.count > 0 || request.waitMs === 0;
    const { pings, next, epoch } = isFull ? first : await this.waited(query, first, request);
    return `{"pings":${pings},"next":${next},"epoch":${JSON.stringify(epoch)}}`;
  }

  /**
   * The end of the stream, for a reader that continues after a position. Throws a 409 if the position is of another epoch or beyond
   * the end.
   */
  async end({
    after = 0,
    epoch,
  }: Readonly<{ after?: number | undefined; epoch?: string | undefined }>): Promise<StreamEnd> {
    const end = await this.reader.end();
    const isOther = epoch !== undefined && epoch !== end.epoch;
    if (isOther || (after > end.last && (await this.reader.isBeyondEnd(after)))) throw epochConflict(end, isOther);
    return end;
  }

  /** Each reader costs memory and time. Too many would slow down the existing ones. */
  refuseWhenFull(): void {
    if (this.stream.readerCount < this.settings.STREAM_MAX_READERS) return;
    throw HttpError.with(50300, 'too many readers of the stream', { 'retry-after': RETRY_AFTER_SECONDS });
  }

  /** Writes to the sink until either side ends it. */
  live(reader: NewReader): void {
    void this.stream.serve(reader);
  }

  private async read(query: StreamQuery, epoch: string | undefined): Promise<PageText> {
    const page = await this.reader.page(query);
    const isOther = page !== undefined && epoch !== undefined && epoch !== page.epoch;
    if (!page || isOther) throw epochConflict(await this.reader.end(), isOther);
    return page;
  }

  private async waited(
    query: StreamQuery,
    first: PageText,
    { waitMs, response, owner }: PageRequest,
  ): Promise<PageText> {
    this.refuseWhenFull();
    const left = new AbortController();
    response.once('close', () => left.abort());
    const deadline = this.clock.monotonic() + waitMs;
    let page = first;
    while (page.count === 0 && !left.signal.aborted && !this.stream.ended) {
      const remaining = deadline - this.clock.monotonic();
      if (remaining <= 0) break;
      const { filter = {} } = query;
      await this.stream.waitForEntry({ filter, after: page.next, withinMs: remaining, signal: left.signal, owner });
      page = await this.read({ ...query, after: page.next }, first.epoch);
      // The right may have ended while the request waited. Nobody is refused because the check is not possible.
      if (owner && !(await owner.isValid().catch(() => true))) {
        throw HttpError.with(40100, undefined, { 'www-authenticate': 'Bearer' });
      }
    }
    return page;
  }
}
