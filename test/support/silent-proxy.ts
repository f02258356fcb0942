import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * A TCP proxy whose connections can die without a word: it stops forwarding on them and keeps their sockets open, so
 * neither end sees FIN or RST. New connections work.
 */
export class SilentProxy {
  private pairs: (readonly [Socket, Socket])[] = [];
  private silent: Socket[] = [];
  /** Connections that were accepted, in all. */
  accepted = 0;

  private constructor(
    private readonly server: Server,
    private readonly target: { host: string; port: number },
  ) {
    server.on('connection', (socket) => this.forward(socket));
  }

  /** In front of the server of that address, e.g. `postgres://…` or `redis://…`. */
  static async before(url: string): Promise<SilentProxy> {
    const { hostname, port } = new URL(url);
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new SilentProxy(server, { host: hostname, port: Number(port) });
  }

  /** The same address through the proxy. */
  through(url: string): string {
    const address = new URL(url);
    address.hostname = '127.0.0.1';
    address.port = String((this.server.address() as AddressInfo).port);
    return address.toString();
  }

  /** From now on nothing is forwarded on the connections there are, in either direction. */
  silence(): number {
    const pairs = this.pairs;
    this.pairs = [];
    for (const pair of pairs) {
      for (const socket of pair) {
        socket.removeAllListeners('data');
        // Taken from the kernel and thrown away, so that its buffers never fill.
        socket.resume();
        this.silent.push(socket);
      }
    }
    return pairs.length;
  }

  async close(): Promise<void> {
    for (const socket of [...this.pairs.flat(), ...this.silent]) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private forward(client: Socket): void {
    this.accepted += 1;
    const server = connect(this.target);
    const pair = [client, server] as const;
    this.pairs.push(pair);
    const join = (from: Socket, to: Socket) => {
      from.on('data', (data) => to.write(data));
      from.on('error', () => undefined);
      from.on('close', () => {
        if (!this.pairs.includes(pair)) return;
        this.pairs = this.pairs.filter((other) => other !== pair);
        to.destroy();
      });
    };
    join(client, server);
    join(server, client);
  }
}
