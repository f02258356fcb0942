import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { quantile } from '../statistics.js';
import { serveRequests } from './side-process.js';

/** Opens readers, or answers how long after its commit (time of day in ms, by position) each reader had each entry. */
export type ReadersRequest =
  | Readonly<{ open: number; port: number; token: string }>
  | Readonly<{ committed: readonly (readonly [position: number, ms: number])[] }>
  | Readonly<{ close: true }>;

export type ReadersAnswer = Readonly<{ missing: number; seen: number; p50: number; p99: number; longest: number }>;

/** Arrival at each reader, by position. */
const arrivals = new Map<number, number[]>();
const sockets: Socket[] = [];

serveRequests(async (request: ReadersRequest): Promise<ReadersAnswer> => {
  if ('open' in request) for (let n = 0; n < request.open; n += 1) await open(request.port, request.token);
  if ('close' in request) for (const socket of sockets.splice(0)) socket.destroy();
  return 'committed' in request ? latencies(request.committed) : latencies([]);
});

async function open(port: number, token: string): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write(`GET /stream/v1/pings/live HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  sockets.push(socket);
  await once(socket, 'data');
  let rest: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => (rest = take(rest.length === 0 ? chunk : Buffer.concat([rest, chunk]))));
}

/** Records the ids of complete frames and returns the rest. */
function take(bytes: Buffer): Buffer {
  const now = performance.timeOrigin + performance.now();
  let at = 0;
  for (let end = bytes.indexOf('\n\n'); end >= 0; end = bytes.indexOf('\n\n', at)) {
    if (bytes[at] === I) {
      const position = Number(bytes.toString('latin1', at + 4, bytes.indexOf(10, at)));
      const seen = arrivals.get(position);
      if (seen) seen.push(now);
      else arrivals.set(position, [now]);
    }
    at = end + 2;
  }
  return bytes.subarray(at);
}

const I = 'i'.charCodeAt(0);

function latencies(committed: readonly (readonly [number, number])[]): ReadersAnswer {
  const all: number[] = [];
  for (const [position, ms] of committed) for (const at of arrivals.get(position) ?? []) all.push(at - ms);
  const missing = committed.length * sockets.length - all.length;
  const longest = all.reduce((most, value) => Math.max(most, value), 0);
  return { missing, seen: all.length, p50: quantile(all, 0.5), p99: quantile(all, 0.99), longest };
}
