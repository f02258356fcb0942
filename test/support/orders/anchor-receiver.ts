import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type ReceivedAnchor = Readonly<{ body: string; headers: IncomingHttpHeaders }>;

/** A receiver of anchors that answers with this status and a long body. `url` has a query. */
export async function withAnchorReceiver(
  status: number,
  use: (url: string, received: readonly ReceivedAnchor[]) => Promise<void>,
): Promise<void> {
  const received: ReceivedAnchor[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ body, headers: request.headers });
      response.writeHead(status).end(status === 204 ? '' : 'x'.repeat(100_000));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/anchors?of=willcall`, received);
  } finally {
    server.close();
  }
}
