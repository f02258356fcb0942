import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Life } from './life.js';
import type { PayingProgram } from './paying-program.js';

type Running = Readonly<{ program: PayingProgram; life: Life }>;

/** The address that a provider's webhooks go to. Whichever program runs gets them; while none does, nobody listens. */
export class WebhookAddress {
  running: Running | undefined;

  private constructor(private readonly server: Server) {}

  static async listen(provider: string): Promise<WebhookAddress> {
    const address = new WebhookAddress(createServer());
    const { server } = address;
    server.on('request', (request, response) => {
      const hangUp = () => void request.socket.destroy();
      const { running } = address;
      if (!running) return hangUp();
      running.life.atEnd(hangUp);
      buffer(request)
        .then((body) => running.program.receive(provider, { body, headers: request.headers }))
        .then(() => response.end(), hangUp);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return address;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
