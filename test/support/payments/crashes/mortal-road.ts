import { once } from 'node:events';
import { createServer, type IncomingMessage, request as ask, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Life } from './life.js';

/**
 * The way from a life to its payment provider: the address of a server that hands each request on. There is a seam before the provider gets the
 * request, and one before its answer arrives.
 */
export async function mortalRoad(provider: string, life: Life): Promise<string> {
  const server = createServer((request, response) => void handOn(provider, life, request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  life.atEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  const { pathname } = new URL(provider);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname === '/' ? '' : pathname}`;
}

async function handOn(provider: string, life: Life, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request);
  const step = stepOf(request, body);
  await life.cross(`before ${step}`);
  const { method, headers, url = '/' } = request;
  const onward = ask(new URL(url, provider), { method, headers, agent: false });
  // As the provider does to us.
  onward.on('error', () => request.socket.destroy());
  onward.end(body);
  const [answer] = (await once(onward, 'response').catch(() => [])) as [IncomingMessage?];
  if (!answer) return;
  const content = await buffer(answer).catch(() => undefined);
  if (!content) return void request.socket.destroy();
  await life.cross(`after ${step}`);
  response.writeHead(answer.statusCode ?? 500, answer.headers).end(content);
}

/** Stripe's path without ids, or the field of a GraphQL document. */
function stepOf({ method, url = '' }: IncomingMessage, body: Buffer): string {
  const field = /"query":"[^{]*\{(?:\\n|\s)*(\w+)/.exec(body.toString())?.[1];
  return field ?? `${method} ${(url.split('?')[0] ?? '').replaceAll(/\/[a-z]+_\w{10,}/g, '/…')}`;
}
