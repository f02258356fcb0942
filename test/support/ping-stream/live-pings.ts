import { createParser } from 'eventsource-parser';
import { STAFF_TOKEN } from '../callers.js';

/** The id of an event, and the fields of its entry. */
export type LivePing = Readonly<{ eventId: string; position: number; id: string; order_id: string; sequence: number }>;

type Where = Readonly<{ lastEventId?: number | string; query?: string; token?: string }>;

/** A reader of `/stream/v1/pings/live`. */
export class LivePings {
  readonly pings: LivePing[] = [];
  readonly comments: string[] = [];
  /** The data of the event `epoch`. */
  epoch: Readonly<{ epoch: string; last: number }> | undefined;
  /** True when the stream has ended or broken off. */
  over = false;

  private constructor(
    readonly response: Response,
    private readonly left: AbortController,
  ) {}

  static async open(url: string, { lastEventId, query = '', token = STAFF_TOKEN }: Where = {}): Promise<LivePings> {
    const left = new AbortController();
    const response = await fetch(`${url}/stream/v1/pings/live${query}`, {
      headers: {
        authorization: `Bearer ${token}`,
        ...(lastEventId !== undefined && { 'last-event-id': String(lastEventId) }),
      },
      signal: left.signal,
    });
    const reader = new LivePings(response, left);
    if (response.status === 200) void reader.#read();
    return reader;
  }

  get positions(): number[] {
    return this.pings.map(({ position }) => position);
  }

  close(): void {
    this.left.abort();
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    const parser = createParser({
      onEvent: ({ id = '', event, data }) => {
        if (event === 'epoch') {
          this.epoch = JSON.parse(data) as { epoch: string; last: number };
          return;
        }
        if (event !== undefined) throw new Error(`An event of type ${event}`);
        this.pings.push({ eventId: id, ...(JSON.parse(data) as Omit<LivePing, 'eventId'>) });
      },
      onComment: (comment) => this.comments.push(comment),
    });
    try {
      for await (const chunk of this.response.body!) parser.feed(decoder.decode(chunk as Uint8Array, { stream: true }));
    } catch {
      // The stream broke off; `over` says so.
    }
    this.over = true;
  }
}
