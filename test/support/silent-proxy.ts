import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * A TCP proxy whose connections can die silently. It stops forwarding and keeps the sockets open, so neither end sees FIN or RST.
 * New connections work.
 */
export class SilentProxy {
  private pairs: (readonly [Socket, Socket])[] = [];
  private silent: Socket[] = [];
  private refusing = false;
  /** By how much messages of new connections are late. */
  delayMs = 0;
  private drips: NodeJS.Timeout[] = [];
  /** All accepted connections, including refused ones. */
  accepted = 0;
  /** What each connection to PostgreSQL asked for at its start, such as `application_name` and `options`. */
  readonly startups: Readonly<Record<string, string>>[] = [];

  private constructor(
    private readonly server: Server,
    private target: { host: string; port: number },
  ) {
    server.on('connection', (socket) => this.forward(socket));
  }

  /** Starts a proxy for the server at this address, e.g. `postgres://…` or `redis://…`. */
  static async before(url: string): Promise<SilentProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new SilentProxy(server, targetOf(url));
  }

  /** New connections go to the server at this address. Those that are open stay where they are. */
  redirect(url: string): void {
    this.target = targetOf(url);
  }

  /** The same address through the proxy. */
  through(url: string): string {
    const address = new URL(url);
    address.hostname = '127.0.0.1';
    address.port = String((this.server.address() as AddressInfo).port);
    return address.toString();
  }

  /** Stops forwarding on all current connections, in both directions. Returns how many. */
  silence(): number {
    const pairs = this.pairs;
    this.pairs = [];
    for (const pair of pairs) {
      for (const socket of pair) {
        socket.removeAllListeners('data');
        // Read and discard, so that the kernel's buffers never fill.
        socket.resume();
        this.silent.push(socket);
      }
    }
    return pairs.length;
  }

  /**
   * Like `silence`, but each client gets a notice of PostgreSQL ten times a second. The connection never looks silent, although no
   * answer arrives.
   */
  drip(): number {
    const clients = this.pairs.map(([client]) => client);
    const count = this.silence();
    for (const client of clients) this.drips.push(setInterval(() => client.write(NOTICE), 100));
    return count;
  }

  /** Closes all connections, and new ones at once, until `accept`. */
  refuse(): void {
    this.refusing = true;
    for (const socket of this.pairs.flat()) socket.destroy();
  }

  accept(): void {
    this.refusing = false;
  }

  async close(): Promise<void> {
    for (const drip of this.drips) clearInterval(drip);
    for (const socket of [...this.pairs.flat(), ...this.silent]) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private forward(client: Socket): void {
    this.accepted += 1;
    if (this.refusing) {
      client.destroy();
      return;
    }
    const server = connect(this.target);
    const pair = [client, server] as const;
    this.pairs.push(pair);
    const { delayMs } = this;
    const join = (from: Socket, to: Socket) => {
      from.on('data', (data) => (delayMs ? setTimeout(() => to.write(data), delayMs) : to.write(data)));
      from.on('error', () => undefined);
      from.on('close', () => {
        if (!this.pairs.includes(pair)) return;
        this.pairs = this.pairs.filter((other) => other !== pair);
        to.destroy();
      });
    };
    client.once('data', (message) => this.startups.push(startupOf(message)));
    join(client, server);
    join(server, client);
  }
}

function targetOf(url: string) {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
}

/** The names and values of a StartupMessage, after its length and the version of the protocol. */
function startupOf(message: Buffer): Record<string, string> {
  const texts = message.toString('utf8', 8).split('\0');
  return Object.fromEntries(texts.flatMap((name, i) => (i % 2 === 0 && name ? [[name, texts[i + 1] ?? '']] : [])));
}

// A NoticeResponse of PostgreSQL's protocol.
const FIELDS = Buffer.from('SNOTICE\0C00000\0Mstill here\0\0');
const NOTICE = Buffer.concat([Buffer.from('N'), Buffer.from([0, 0, 0, FIELDS.length + 4]), FIELDS]);
