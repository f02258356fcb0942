import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

type Waiting = Readonly<{ resolve: (status: number) => void; reject: (error: Error) => void }>;

const HEAD_END = '\r\n\r\n';

/** An HTTP connection that sends raw bytes, one request after another, and only counts the bytes of answers. */
export class PlainConnection {
  private waiting: Waiting | undefined;
  private head = '';
  private status = 0;
  private bodyBytesLeft = 0;

  static async open(host: string, port: number): Promise<PlainConnection> {
    const socket = connect({ host, port, noDelay: true });
    await once(socket, 'connect');
    return new PlainConnection(socket);
  }

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => this.take(chunk));
    socket.on('error', (error) => this.waiting?.reject(error));
    socket.on('close', () => this.waiting?.reject(new Error('The server closed a connection.')));
  }

  /** Returns the status when the whole answer has arrived. The answer must have a Content-Length. */
  exchange(request: Buffer): Promise<number> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.socket.write(request);
    });
  }

  close(): void {
    this.waiting = undefined;
    this.socket.destroy();
  }

  private take(chunk: Buffer): void {
    const bodyBytes = this.status === 0 ? this.takeHead(chunk) : chunk.length;
    this.bodyBytesLeft -= bodyBytes;
    if (this.status === 0 || this.bodyBytesLeft > 0) return;
    const { waiting, status } = this;
    this.head = '';
    this.status = 0;
    this.bodyBytesLeft = 0;
    waiting?.resolve(status);
  }

  /** Counts the bytes of the chunk that belong to the body. Sets the status when the head is complete. */
  private takeHead(chunk: Buffer): number {
    const before = this.head.length;
    this.head += chunk.toString('latin1');
    const end = this.head.indexOf(HEAD_END);
    if (end < 0) return 0;
    const head = this.head.slice(0, end);
    this.status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
    this.bodyBytesLeft = Number(/^content-length: (\d+)/im.exec(head)?.[1]);
    return chunk.length - (end + HEAD_END.length - before);
  }
}
