import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { machineMs } from './machine-clock.js';
import { serveRequests } from './side-process.js';

/**
 * Clears the record if `forget` is set, then answers when `orders` different orders have been pinged. From then on pings are answered
 * after `answersAfterMs`, if it is given.
 */
export type ReceiverRequest = Readonly<{ forget: boolean; orders: number; answersAfterMs?: number }>;

export type Seen = Readonly<{
  port: number;
  /** When the first ping of each order arrived, by `machineMs`. */
  arrivals: Readonly<Record<string, number>>;
  /** All pings, including repeated ones. */
  pings: number;
}>;

const arrivals = new Map<string, number>();
let pings = 0;
let answerAfterMs = 0;
let enough: { orders: number; reached: () => void } | undefined;

const server = createServer((request, response) => {
  const orderId = /\/purchases\/([^/?]+)\/update/.exec(request.url ?? '')?.[1] ?? '';
  pings += 1;
  if (!arrivals.has(orderId)) arrivals.set(orderId, machineMs());
  request.resume();
  const answer = () =>
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ order_id: orderId }));
  if (answerAfterMs > 0) setTimeout(answer, answerAfterMs);
  else answer();
  if (enough && arrivals.size >= enough.orders) enough.reached();
}).listen(0, '127.0.0.1');
await once(server, 'listening');

serveRequests(async ({ forget, orders, answersAfterMs = answerAfterMs }: ReceiverRequest): Promise<Seen> => {
  answerAfterMs = answersAfterMs;
  if (forget) {
    arrivals.clear();
    pings = 0;
  }
  if (arrivals.size < orders) await new Promise<void>((reached) => (enough = { orders, reached }));
  enough = undefined;
  const { port } = server.address() as AddressInfo;
  return { port, arrivals: Object.fromEntries(arrivals), pings };
});
