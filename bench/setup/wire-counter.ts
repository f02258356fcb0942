import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

/** The statements that were sent in one round trip. */
type RoundTrip = readonly string[];

export type WireCounter = Readonly<{
  /** The server's address through the counter. */
  url: string;
  /** The round trips of all connections since the last `take`. */
  take(): RoundTrip[];
  stop(): void;
}>;

/** A proxy for PostgreSQL that parses what the client sends (PostgreSQL manual, "Message Formats"). */
export async function startWireCounter(databaseUrl: string): Promise<WireCounter> {
  const { hostname, port } = new URL(databaseUrl);
  let trips: RoundTrip[] = [];
  const server = createServer((client) => {
    const upstream = connect({ host: hostname, port: Number(port), noDelay: true });
    client.setNoDelay(true);
    const reader = new FrontendReader((trip) => trips.push(trip));
    client.on('data', (bytes: Buffer) => reader.read(bytes));
    client.pipe(upstream).pipe(client);
    for (const end of [client, upstream]) end.on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.port = `${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    take() {
      const taken = trips;
      trips = [];
      return taken;
    },
    stop: () => void server.close(),
  };
}

// The first message of a connection has a length but no type.
const TYPE_BYTES = 1;
const LENGTH_BYTES = 4;

class FrontendReader {
  private rest: Buffer = Buffer.alloc(0);
  private isStarted = false;
  private readonly texts = new Map<string, string>();
  private bound = '';
  private trip: string[] = [];

  constructor(private readonly onTrip: (trip: RoundTrip) => void) {}

  read(bytes: Buffer): void {
    this.rest = Buffer.concat([this.rest, bytes]);
    for (;;) {
      const start = this.isStarted ? TYPE_BYTES : 0;
      if (this.rest.length < start + LENGTH_BYTES) return;
      const end = start + this.rest.readInt32BE(start);
      if (this.rest.length < end) return;
      if (this.isStarted) this.message(String.fromCharCode(this.rest[0] ?? 0), this.rest.subarray(start + 4, end));
      this.isStarted = true;
      this.rest = this.rest.subarray(end);
    }
  }

  private message(type: string, body: Buffer): void {
    const [first = '', second = ''] = type === 'Q' || type === 'P' || type === 'B' ? strings(body) : [];
    if (type === 'P') this.texts.set(first, second);
    if (type === 'B') this.bound = this.texts.get(second) ?? '';
    if (type === 'E') this.trip.push(this.bound);
    if (type === 'Q') this.trip.push(first);
    if (type !== 'Q' && type !== 'S') return;
    this.onTrip(this.trip);
    this.trip = [];
  }
}

/** The first two zero-terminated strings of a message. */
function strings(body: Buffer): [string, string] {
  const first = body.indexOf(0);
  const second = body.indexOf(0, first + 1);
  return [body.toString('utf8', 0, first), body.toString('utf8', first + 1, Math.max(first + 1, second))];
}
