import { connect, type Socket } from 'node:net';
import { until } from './until.js';

export type RawAnswer = Readonly<{
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string;
  body: unknown;
}>;

export type RawExchange = Readonly<{
  /** Stop after this many answers, or when the server closes the connection. */
  answers?: number;
  withinMs?: number;
}>;

/** Sends raw bytes, which no HTTP client would send, and reads the answers. */
export async function exchange(
  url: string,
  bytes: string | Buffer,
  { answers: wanted = 1, withinMs = 10_000 }: RawExchange = {},
): Promise<RawAnswer[]> {
  const connection = new RawConnection(url);
  connection.send(bytes);
  try {
    return await connection.answers(wanted, withinMs);
  } finally {
    connection.close();
  }
}

/** A connection that sends raw bytes. */
export class RawConnection {
  private readonly socket: Socket;
  private received = Buffer.alloc(0);
  private isOver = false;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.socket = connect(Number(port), hostname);
    this.socket.on('data', (data) => (this.received = Buffer.concat([this.received, data])));
    this.socket.on('close', () => (this.isOver = true));
    // The server may refuse a request and close while the rest is still being sent.
    this.socket.on('error', () => (this.isOver = true));
  }

  send(bytes: string | Buffer): void {
    this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  }

  /** Waits for this many answers since the start, or returns those that arrived before the server closed. */
  async answers(wanted: number, withinMs = 10_000): Promise<RawAnswer[]> {
    return until(
      () => {
        const found = answersIn(this.received, this.isOver);
        return (found.length >= wanted || this.isOver) && found;
      },
      { withinMs, everyMs: 2 },
    );
  }

  close(): void {
    this.socket.destroy();
  }
}

/** The text of a request: `lines` are the request line and the headers but Host and Content-Length. */
export function requestText(lines: readonly string[], body: string | Buffer = ''): Buffer {
  const payload = Buffer.from(body);
  const length = payload.length > 0 ? [`Content-Length: ${payload.length}`] : [];
  const head = [lines[0], 'Host: localhost', ...lines.slice(1), ...length].join('\r\n');
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), payload]);
}

function answersIn(received: Buffer, isOver: boolean): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = received; rest.length > 0;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) break;
    const [statusLine = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [line.split(':')[0]?.toLowerCase() ?? '', line.slice(line.indexOf(':') + 1).trim()]),
    );
    const status = Number(statusLine.split(' ')[1]);
    if (status === 100) {
      rest = rest.subarray(end + 4);
      continue;
    }
    const length = Number(headers['content-length'] ?? (isOver ? rest.length - end - 4 : Infinity));
    if (rest.length - end - 4 < length) break;
    const text = rest.subarray(end + 4, end + 4 + length).toString();
    const isJson = headers['content-type']?.startsWith('application/json') && text !== '';
    answers.push({ status, headers, text, body: isJson ? JSON.parse(text) : undefined });
    rest = rest.subarray(end + 4 + length);
  }
  return answers;
}
