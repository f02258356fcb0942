import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { machineMs } from './machine-clock.js';
import { serveRequests } from './side-process.js';

/** Clears the record if `forget` is set, then answers when `webhooks` different webhooks have arrived. */
export type WebhookReceiverRequest = Readonly<{ forget: boolean; webhooks: number }>;

export type SeenWebhooks = Readonly<{
  port: number;
  /** The order, first arrival (by `machineMs`) and path of each webhook. */
  arrivals: readonly (readonly [orderId: string, at: number, path: string])[];
  /** All requests, including repeated ones. */
  requests: number;
}>;

/** Requests to paths that start like this get no answer. */
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

serveRequests(async ({ forget, webhooks }: WebhookReceiverRequest): Promise<SeenWebhooks> => {
  if (forget) {
    seen.clear();
    requests = 0;
  }
  if (seen.size < webhooks) await new Promise<void>((reached) => (enough = { webhooks, reached }));
  enough = undefined;
  const { port } = server.address() as AddressInfo;
  return { port, arrivals: [...seen.values()], requests };
});
