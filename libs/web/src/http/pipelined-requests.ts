import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

// Node parses all of a chunk of 64 kB: of the shortest requests, 2,520. A parsed request takes about 3 kB.
const MOST_WAITING_OF_A_CONNECTION = 2_600;
const MOST_WAITING = 6_000;

type Waiting = readonly [request: IncomingMessage, response: ServerResponse];
type Connection = {
  isBusy: boolean;
  waiting: Waiting[];
  isWatched: boolean;
  /** When the last answer had gone out, in ms of `performance.now()`, and what had been read of the connection by then. */
  answeredAt: number;
  bytesRead: number;
  arrived: number;
  /** Not after its answer: an idle connection keeps no request in memory. */
  latest: IncomingMessage | undefined;
};

/** Node reads and parses ahead unless its own flag says that it must not. */
type PausableSocket = Socket & { _paused?: boolean; parser?: { pause(): void; resume(): void } | null };

/**
 * Handles the requests of a connection one after another: the next one when the answer before it has gone out. Node would handle all
 * that arrived at once, and keep their answers in memory for a client that never reads them.
 */
export class PipelinedRequests {
  readonly #connections = new WeakMap<Socket, Connection>();
  readonly #handle: RequestListener;
  #waiting = 0;
  #endedCount = 0;

  constructor(handle: RequestListener) {
    this.#handle = handle;
  }

  /** Connections that were ended because they sent too many requests ahead. */
  get endedCount(): number {
    return this.#endedCount;
  }

  /** Whether the socket is not read, or was not for a time, because of the request that is in hand. */
  isHeldBack(socket: Socket): boolean {
    const connection = this.#connections.get(socket);
    return connection !== undefined && connection.isBusy && connection.isWatched;
  }

  /** Whether its last answer went out before this time, in ms of `performance.now()`, and nothing has arrived since. */
  isIdleSince(socket: Socket, before: number): boolean {
    const connection = this.#connections.get(socket);
    if (!connection || connection.isBusy) return false;
    return connection.answeredAt <= before && connection.bytesRead === socket.bytesRead;
  }

  /** How many requests have arrived until now, at least their headers, and the last one if its body has not. */
  arrivedOn(socket: Socket): Readonly<{ count: number; open: IncomingMessage | undefined }> {
    const { arrived: count = 0, latest } = this.#connections.get(socket) ?? {};
    return { count, open: latest?.complete ? undefined : latest };
  }

  serve(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    let connection = this.#connections.get(socket);
    if (!connection) {
      connection = {
        isBusy: false,
        waiting: [],
        isWatched: false,
        answeredAt: 0,
        bytesRead: 0,
        arrived: 0,
        latest: undefined,
      };
      this.#connections.set(socket, connection);
    }
    connection.arrived += 1;
    connection.latest = request;
    if (connection.isBusy) this.#enqueue(socket, connection, [request, response]);
    else this.#start(socket, connection, [request, response]);
  }

  #start(socket: Socket, connection: Connection, [request, response]: Waiting): void {
    connection.isBusy = true;
    // Emitted when all bytes were given to the kernel, or when the connection broke.
    response.on('close', () => this.#startNext(socket, connection));
    this.#handle(request, response);
  }

  #startNext(socket: Socket, connection: Connection): void {
    connection.isBusy = false;
    // The answer before may have said `connection: close`.
    if (socket.destroyed || socket.writableEnded) return this.#forget(connection);
    const next = connection.waiting.shift();
    if (!next) {
      if (connection.latest?.complete) connection.latest = undefined;
      connection.answeredAt = performance.now();
      connection.bytesRead = socket.bytesRead;
      return;
    }
    this.#waiting -= 1;
    if (connection.waiting.length === 0) resume(socket);
    this.#start(socket, connection, next);
  }

  #enqueue(socket: Socket, connection: Connection, waiting: Waiting): void {
    if (socket.destroyed) return;
    if (connection.waiting.length >= MOST_WAITING_OF_A_CONNECTION || this.#waiting >= MOST_WAITING) {
      this.#endedCount += 1;
      this.#forget(connection);
      socket.destroy();
      return;
    }
    connection.waiting.push(waiting);
    this.#waiting += 1;
    pause(socket);
    if (connection.isWatched) return;
    connection.isWatched = true;
    socket.once('close', () => this.#forget(connection));
    // Node reads on whenever the socket has drained.
    socket.on('drain', () => {
      if (connection.waiting.length > 0) pause(socket);
    });
  }

  #forget(connection: Connection): void {
    this.#waiting -= connection.waiting.length;
    connection.waiting = [];
  }
}

function pause(socket: PausableSocket): void {
  socket._paused = true;
  socket.pause();
}

function resume(socket: PausableSocket): void {
  socket._paused = false;
  socket.parser?.resume();
  socket.resume();
}
