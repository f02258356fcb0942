import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook as Verifier } from 'standardwebhooks';

type ReceivedWebhook = Readonly<{
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Empty in a test message. */
  orderId: string;
  position: number;
  /** How many others of the same order and path were unanswered when this one arrived. */
  besides: number;
}>;

type WebhookAnswer = Readonly<{ status?: number; body?: string; headers?: Record<string, string> }>;
type AnsweringWebhook = (received: ReceivedWebhook, response: ServerResponse) => Promise<WebhookAnswer> | WebhookAnswer;

export const acceptWebhook: AnsweringWebhook = () => ({});

/** One receiver of webhooks, or several by path. */
export class WebhookDouble {
  readonly received: ReceivedWebhook[] = [];
  answering: AnsweringWebhook = acceptWebhook;
  private readonly unanswered = new Map<string, number>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<WebhookDouble> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const double = new WebhookDouble(server);
    server.on('request', (request, response) => void double.take(request, response));
    return double;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The positions of an order, in order of arrival. */
  positionsOf(orderId: string, path = '/'): number[] {
    return this.received
      .filter((received) => received.orderId === orderId && received.path === path)
      .map(({ position }) => position);
  }

  /** Closes all connections, answered or not. */
  cut(): void {
    this.server.closeAllConnections();
  }

  async stop(): Promise<void> {
    this.cut();
    this.server.close();
    await once(this.server, 'close');
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const { data } = JSON.parse(body) as { data: { order_id?: string; position?: number } };
    const { order_id: orderId = '', position = 0 } = data;
    const path = request.url ?? '';
    const key = `${path} ${orderId}`;
    const besides = this.unanswered.get(key) ?? 0;
    this.unanswered.set(key, besides + 1);
    const headers = request.headers as Record<string, string>;
    const received = { path, headers, body, orderId, position, besides };
    this.received.push(received);
    const answer = await this.answering(received, response);
    this.unanswered.set(key, (this.unanswered.get(key) ?? 1) - 1);
    if (response.writableEnded || response.destroyed) return;
    response.writeHead(answer.status ?? 204, answer.headers).end(answer.body);
  }
}

/** Whether the signature was made with the secret. */
export function isSignedWith(secret: string, { body, headers }: ReceivedWebhook): boolean {
  try {
    new Verifier(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}
