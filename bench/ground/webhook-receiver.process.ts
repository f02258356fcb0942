import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { machineMs } from './machine-clock.js';
import { takeOrders } from './side-process.js';

/** Forgets what came, if asked to, and answers once so many different webhooks were taken. */
export type WebhookReceiverOrder = Readonly<{ forget: boolean; webhooks: number }>;

export type SeenWebhooks = Readonly<{
  port: number;
  /** Of each webhook that was taken the order, when it first arrived, by `machineMs`, and where. */
  arrivals: readonly (readonly [orderId: string, at: number, path: string])[];
  /** Requests in all, repeated ones too. */
  requests: number;
}>;

/** Whoever is sent to below this path gets no answer. */
const HANGS = '/hangs';

const seen = new Map<string, SeenWebhooks['arrivals'][number]>();
let requests = 0;
let enough: { webhooks: number; reached: () => void } | undefined;

const server = createServer((request, response) => {
  const at = machineMs();
  request.resume();
  const { url = '' } = request;
  if (url.startsWith(HANGS)) return;
  requests += 1;
  const id = String(request.headers['webhook-id']);
  const orderId = `ord_${id.split('_')[1]}`;
  const key = `${url} ${id}`;
  if (!seen.has(key)) seen.set(key, [orderId, at, url]);
  response.writeHead(204).end();
  if (enough && seen.size >= enough.webhooks) enough.reached();
}).listen(0, '127.0.0.1');
await once(server, 'listening');

takeOrders(async ({ forget, webhooks }: WebhookReceiverOrder): Promise<SeenWebhooks> => {
  if (forget) {
    seen.clear();
    requests = 0;
  }
  if (seen.size < webhooks) await new Promise<void>((reached) => (enough = { webhooks, reached }));
  enough = undefined;
  const { port } = server.address() as AddressInfo;
  return { port, arrivals: [...seen.values()], requests };
});
