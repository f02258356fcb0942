import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { authorization, call, type TestClient } from '../callers.js';

/** How the double answers a ping. The default is 200 with the order's id, at once. */
export type PingResponse = Readonly<{
  status?: number;
  headers?: Readonly<Record<string, string>>;
  /** Instead of `{"order_id": …}`. */
  body?: string;
  afterMs?: number;
  /** Closes the connection without an answer. */
  hangUp?: boolean;
  /** Called just before the answer is sent. */
  before?: () => void | Promise<void>;
  /** Called when the answer has been sent. */
  after?: () => void;
}>;

/** A ping that arrived. `number` and `delivered` come from one counter, so the lower number was earlier. */
export type Arrival = {
  readonly number: number;
  readonly at: number;
  readonly orderId: string;
  readonly refId: string | null;
  readonly transactionId: string;
  /** The header. Undefined if no trace is recorded. */
  readonly traceparent?: string | undefined;
  /** Whether a known client signed this request, a POST without a body. */
  readonly signed: boolean;
  /** Another ping of the same order was still unanswered. */
  readonly overlaps: boolean;
  /** Set when the ping was acknowledged. */
  delivered?: number;
  /** The sender closed the connection before the answer. */
  hungUp?: boolean;
  /** The codes of `status_history` in a GET at arrival; null if there is no such purchase. */
  readonly shown: Promise<readonly number[] | null>;
};

// Longer than all apis are ever away in a test.
const READ_WITHIN_MS = 60_000;

/**
 * A platform that receives pings. It checks signatures without the code under test, reads each purchase back at once, records
 * arrivals in order, and answers as `respond` decides.
 */
export class PlatformDouble {
  readonly arrivals: Arrival[] = [];
  respond: (ping: Arrival) => PingResponse = () => ({});
  /** Apis to read purchases from. If one does not answer, the next is tried. */
  apis: readonly string[] = [];
  private readonly server: Server;
  private readonly inHand = new Map<string, number>();
  private counted = 0;

  private constructor(private readonly clients: readonly TestClient[]) {
    this.server = createServer((request, response) => void this.receive(request, response));
  }

  static async listen(clients: readonly TestClient[]): Promise<PlatformDouble> {
    const double = new PlatformDouble(clients);
    double.server.listen(0, '127.0.0.1');
    await once(double.server, 'listening');
    return double;
  }

  /** Has a path, so that tests notice if it is lost or signed incorrectly. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/platform`;
  }

  of(orderId: string): Arrival[] {
    return this.arrivals.filter((ping) => ping.orderId === orderId);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://platform');
    const orderId = /^\/platform\/markets\/purchases\/([^/]+)\/update$/.exec(pathname)?.[1] ?? pathname;
    const body = await bytesOf(request);
    const signer = request.method === 'POST' && body.length === 0 ? this.signerOf(request, pathname) : undefined;
    const open = this.inHand.get(orderId) ?? 0;
    const traceparent = request.headers['traceparent'] as string | undefined;
    const ping: Arrival = {
      number: this.count(),
      at: Date.now(),
      orderId,
      refId: searchParams.get('ref_id'),
      transactionId: String(request.headers['x-xx-transaction-id']),
      traceparent,
      signed: signer !== undefined,
      overlaps: open > 0,
      shown: signer ? this.readBack(signer, orderId, traceparent) : Promise.resolve(null),
    };
    ping.shown.catch(() => undefined);
    this.arrivals.push(ping);
    this.inHand.set(orderId, open + 1);
    // If the sender was killed, the connection closes without an answer.
    response.once('close', () => {
      ping.hungUp = !response.writableFinished;
      this.inHand.set(orderId, (this.inHand.get(orderId) ?? 1) - 1);
    });
    await this.answer(ping, this.respond(ping), response);
  }

  private async answer(ping: Arrival, reply: PingResponse, response: ServerResponse): Promise<void> {
    const { status = 200, headers = {}, body = JSON.stringify({ order_id: ping.orderId }) } = reply;
    if (reply.afterMs !== undefined) await pause(reply.afterMs);
    await reply.before?.();
    if (reply.hangUp) {
      response.destroy();
      reply.after?.();
      return;
    }
    // Count before the sender can know.
    if (status === 200 && reply.body === undefined && !response.destroyed) ping.delivered = this.count();
    response.once('finish', () => reply.after?.());
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  }

  private count(): number {
    this.counted += 1;
    return this.counted;
  }

  private signerOf(request: IncomingMessage, path: string): TestClient | undefined {
    const [scheme, credentials = ''] = (request.headers.authorization ?? '').split(' ');
    return this.clients.find(({ clientId, secret }) => {
      const hmac = createHmac('sha1', secret).update(`POST\n${path}\n`).digest('base64');
      return scheme === 'XX' && credentials === `${clientId}:${hmac}`;
    });
  }

  /** With the trace of the ping, as a platform that knows traces would. */
  private async readBack(client: TestClient, orderId: string, traceparent?: string): Promise<readonly number[] | null> {
    const path = `/checkout/v1/purchases/${orderId}`;
    const signed = { authorization: authorization(client, 'GET', path) };
    const headers = traceparent === undefined ? signed : { ...signed, traceparent };
    const deadline = Date.now() + READ_WITHIN_MS;
    for (let turn = 0; Date.now() < deadline; turn += 1) {
      const api = this.apis[turn % this.apis.length] ?? '';
      const answer = await call(`${api}${path}`, 'GET', undefined, headers).catch(() => undefined);
      if (answer?.status === 200) return codesOfHistory(answer.body);
      if (answer && answer.status < 500) return null;
      await pause(100);
    }
    throw new Error(`${orderId} could not be read for ${READ_WITHIN_MS} ms.`);
  }
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The codes of a Purchase's `status_history`, oldest first. */
export function codesOfHistory(purchase: unknown): number[] {
  return (purchase as { status_history: { status_code: number }[] }).status_history.map((entry) => entry.status_code);
}
