import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ReceivedPing = Readonly<{
  orderId: string;
  /** Path and query as sent. */
  url: string;
  /** Names and values as sent. */
  rawHeaders: readonly string[];
  transactionId: string;
  bodyBytes: number;
  /** How many other pings of the order were unanswered when this one arrived. */
  besides: number;
}>;

export type Answer = Readonly<{ status?: number; body?: string; headers?: Record<string, string> }>;

/** Answers a ping, the n-th of its order. The default is to acknowledge it. */
type Answering = (ping: ReceivedPing, nth: number, response: ServerResponse) => Promise<Answer> | Answer;

export const acknowledgePing: Answering = ({ orderId }) => ({ body: JSON.stringify({ order_id: orderId }) });

/** A platform that receives pings. */
export class PlatformDouble {
  readonly received: ReceivedPing[] = [];
  answering: Answering = acknowledgePing;
  private readonly unanswered = new Map<string, number>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<PlatformDouble> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const platform = new PlatformDouble(server);
    server.on('request', (request, response) => void platform.take(request, response));
    return platform;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The transaction ids of the order's pings, in order of arrival. */
  transactionsOf(orderId: string): string[] {
    return this.received.filter((ping) => ping.orderId === orderId).map(({ transactionId }) => transactionId);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '', rawHeaders, headers } = request;
    const orderId = decodeURIComponent(/\/markets\/purchases\/([^/?]+)\/update/.exec(url)?.[1] ?? '');
    const besides = this.unanswered.get(orderId) ?? 0;
    const transactionId = String(headers['x-xx-transaction-id']);
    this.unanswered.set(orderId, besides + 1);
    let bodyBytes = 0;
    for await (const chunk of request) bodyBytes += (chunk as Buffer).length;
    const ping = { orderId, url, rawHeaders, transactionId, bodyBytes, besides };
    this.received.push(ping);
    const nth = this.received.filter((earlier) => earlier.orderId === orderId).length;
    const answer = await this.answering(ping, nth, response);
    this.unanswered.set(orderId, (this.unanswered.get(orderId) ?? 1) - 1);
    if (response.writableEnded || response.destroyed) return;
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
    response.end(answer.body ?? '');
  }
}
