import type { PingEntry } from '#client/ping-entry';

/** What goes wrong with one request. */
export type Mishap =
  | Readonly<{ kind: 'no connection' | 'proxy page' }>
  | Readonly<{ kind: 'status'; status: number; retryAfter?: string }>
  /** The answer ends after so many bytes: with an error, or like a complete answer. */
  | Readonly<{ kind: 'cut' | 'end'; afterBytes: number }>
  /** So many entries that the reader already has are sent again. */
  | Readonly<{ kind: 'repeat'; entries: number }>;

export function entryAt(position: number, order = 1 + (position % 3)): PingEntry {
  return {
    id: `png_${order}_${position}`,
    position,
    order_id: `ord_${order}`,
    ref_id: position % 2 === 0 ? null : `ref "é" ${order}`,
    sequence: position,
    status: 'confirmed',
    status_message: 'Confirmed',
    status_code: 2000,
    occurred_at: '2026-11-21T12:00:00.000Z',
    transaction_id: `txn-${position}`,
  };
}

/** A ping stream without a server. Its `fetch` answers as docs/streams.md says, after the mishaps of its script. */
export class SimulatedStream {
  readonly requests: URL[] = [];
  readonly resumedAfter: number[] = [];
  readonly headers: Headers[] = [];
  private readonly script: Mishap[];
  private readonly open: (() => void)[] = [];

  constructor(
    public entries: readonly PingEntry[],
    script: readonly Mishap[] = [],
    /** The size of each piece of an answer. */
    private readonly pieceBytes = 64,
    /** If undefined, the server sends no epoch, as older ones did. */
    public epoch?: string,
  ) {
    this.script = [...script];
  }

  readonly fetch = async (text: string, { headers, signal }: RequestInit): Promise<Response> => {
    signal?.throwIfAborted();
    const url = new URL(text);
    const sent = new Headers(headers);
    const isLive = url.pathname.endsWith('/live');
    const after = Number(isLive ? sent.get('last-event-id') : url.searchParams.get('after'));
    this.requests.push(url);
    this.headers.push(sent);
    this.resumedAfter.push(after);
    const mishap = this.script.shift();
    if (mishap?.kind === 'no connection') throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
    if (mishap?.kind === 'proxy page') return new Response('<html>', { headers: { 'content-type': 'text/html' } });
    if (mishap?.kind === 'status') return refusal(mishap);
    const isOther = (url.searchParams.get('epoch') ?? this.epoch) !== this.epoch;
    const last = this.entries.at(-1)?.position ?? 0;
    if (this.epoch !== undefined && (isOther || after > last)) return conflict(this.epoch, last);
    const behind = this.entries.filter(({ position }) => position <= after);
    const again =
      mishap?.kind === 'repeat' ? behind.slice(behind.length - Math.min(mishap.entries, behind.length)) : [];
    const due = [...again, ...this.entries.filter(({ position }) => position > after)];
    const limit = Number(url.searchParams.get('limit'));
    const bytes = Buffer.from(isLive ? framesOf(due, this.epoch) : pageOf(due.slice(0, limit), after, this.epoch));
    const type = isLive ? 'text/event-stream; charset=utf-8' : 'application/json';
    return new Response(this.body(bytes, mishap, isLive, signal), { headers: { 'content-type': type } });
  };

  /** Ends all open streams. */
  cutAll(): void {
    for (const cut of this.open.splice(0)) cut();
  }

  private body(bytes: Buffer, mishap: Mishap | undefined, staysOpen: boolean, signal?: AbortSignal | null) {
    const cut = mishap?.kind === 'cut' || mishap?.kind === 'end' ? mishap : undefined;
    const last = Math.min(bytes.length, cut?.afterBytes ?? Infinity);
    let sent = 0;
    return new ReadableStream<Uint8Array>({
      start: (controller) => signal?.addEventListener('abort', () => controller.error(signal.reason)),
      pull: (controller) => {
        if (sent < last) {
          const until = Math.min(sent + this.pieceBytes, last);
          controller.enqueue(new Uint8Array(bytes.subarray(sent, until)));
          sent = until;
        } else if (cut?.kind === 'cut')
          controller.error(new TypeError('terminated', { cause: { code: 'ECONNRESET' } }));
        else if (cut || !staysOpen) controller.close();
        // An open stream: nothing comes until the reader leaves.
        else
          return new Promise<void>((resolve) => {
            signal?.addEventListener('abort', () => resolve());
            this.open.push(() => (controller.close(), resolve()));
          });
        return undefined;
      },
    });
  }
}

function refusal({ status, retryAfter }: Readonly<{ status: number; retryAfter?: string }>): Response {
  const headers = { 'content-type': 'application/json', ...(retryAfter && { 'retry-after': retryAfter }) };
  return new Response(JSON.stringify({ errors: [{ code: status * 100, message: 'No' }] }), { status, headers });
}

function conflict(epoch: string, last: number): Response {
  return Response.json({ errors: [{ code: 40902, message: 'Conflict' }], meta: { epoch, last } }, { status: 409 });
}

function pageOf(entries: readonly PingEntry[], after: number, epoch?: string): string {
  return JSON.stringify({ pings: entries, next: entries.at(-1)?.position ?? after, epoch });
}

function framesOf(entries: readonly PingEntry[], epoch?: string): string {
  const frames = entries.map((entry) => `id: ${entry.position}\ndata: ${JSON.stringify(entry)}\n\n`);
  const epochEvent = epoch === undefined ? '' : `event: epoch\ndata: ${JSON.stringify({ epoch, last: 0 })}\n`;
  return [`: connected\nretry: 1000\n${epochEvent}\n`, ...frames.flatMap((frame) => [frame, ': heartbeat\n\n'])].join(
    '',
  );
}
