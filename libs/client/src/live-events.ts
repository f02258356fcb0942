import { createParser } from 'eventsource-parser';
import { Deadline } from './deadline.js';
import type { Dependencies } from './dependencies.js';
import type { Batch, StreamPosition } from './following.js';
import { isPingEntry, type PingEntry } from './ping-entry.js';
import { requestError, streamHeaders, StreamInterrupted, type StreamSource, streamUrl } from './stream-source.js';

// Willcall sends no longer event.
const EVENT_MAX_CHARACTERS = 256 * 1024;

/** Reads one connection to the live stream until it breaks or stays silent, without a heartbeat, for `heartbeatTimeoutMs`. */
export async function* liveEvents(
  source: StreamSource,
  heartbeatTimeoutMs: number,
  dependencies: Dependencies,
  place: StreamPosition,
  signal: AbortSignal | undefined,
): AsyncGenerator<Batch, void, undefined> {
  const deadline = new Deadline(heartbeatTimeoutMs, signal);
  try {
    const events = new EventReader();
    for await (const chunk of await connect(source, dependencies, place, deadline.signal)) {
      // Nothing is read while the caller processes entries, so silence means nothing then.
      deadline.hold();
      yield events.read(chunk);
      if (events.isBroken) throw new StreamInterrupted('an event is not a ping');
      deadline.extend();
    }
  } finally {
    deadline.end();
  }
}

async function connect(
  source: StreamSource,
  dependencies: Dependencies,
  { after, epoch }: StreamPosition,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const resume = after === undefined ? {} : { 'last-event-id': `${after}` };
  const headers = { ...streamHeaders(source, 'text/event-stream'), ...resume };
  const url = streamUrl(source, 'pings/live', epoch === undefined ? {} : { epoch });
  const response = await dependencies.fetch(url, { headers, redirect: 'manual', signal });
  if (response.status !== 200) throw await requestError(response, dependencies);
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (!isStream || !response.body) throw new StreamInterrupted('the answer is not an event stream');
  return response.body;
}

/** Assembles events from chunks. An event that is incomplete when the stream breaks is dropped. */
class EventReader {
  private readonly decoder = new TextDecoder();
  private entries: PingEntry[] = [];
  private epoch: Epoch | undefined;
  /** The entries before the broken event have still been returned. */
  isBroken = false;
  private readonly parser = createParser({
    maxBufferSize: EVENT_MAX_CHARACTERS,
    onEvent: ({ event, data }) => {
      if (event === 'epoch') this.epoch = epochIn(data);
      // This version does not know events with a type.
      if (event !== undefined || this.isBroken) return;
      const entry = entryIn(data);
      if (entry) this.entries.push(entry);
      else this.isBroken = true;
    },
  });

  read(chunk: Uint8Array): Batch {
    this.parser.feed(this.decoder.decode(chunk, { stream: true }));
    const entries = this.entries;
    this.entries = [];
    return { entries, next: 0, ...this.epoch };
  }
}

type Epoch = Readonly<{ epoch: string; last: number }>;

function epochIn(data: string): Epoch | undefined {
  try {
    const { epoch, last } = JSON.parse(data) as { epoch?: unknown; last?: unknown };
    return typeof epoch === 'string' && typeof last === 'number' ? { epoch, last } : undefined;
  } catch {
    return undefined;
  }
}

function entryIn(data: string): PingEntry | undefined {
  try {
    const entry: unknown = JSON.parse(data);
    return isPingEntry(entry) ? entry : undefined;
  } catch {
    return undefined;
  }
}
