import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Settings } from '#base/settings';
import { addressKey, isFrom, proxyNetworks } from '../client-address.js';
import type { ClientError } from './malformed-request.js';
import type { PipelinedRequests } from './pipelined-requests.js';
import { UnreadableRequests } from './unreadable-requests.js';

const LOOK_EVERY_MS = 1_000;

// All connections together. What is beyond takes memory that the process needs to sell.
const MOST_UNSENT_BYTES = 64 * 1024 * 1024;

type Limits = Pick<Settings, 'MAX_CONNECTIONS_PER_ADDRESS' | 'SEND_TIMEOUT_MS' | 'TRUST_PROXY'>;
type Progress = { taken: number; since: number };

/** The part of Node's socket that says how much the kernel has taken. Without it, whole writes count. */
type SocketHandle = { bytesWritten?: number; writeQueueSize?: number };

/**
 * Bounds what a client's connections cost: their number per address, and the time for which a peer may leave an answer untaken.
 * Connections of trusted proxies carry many clients and are not counted.
 */
export class ConnectionLimits {
  readonly #limits: Limits;
  readonly #proxies;
  readonly #perAddress = new Map<string, number>();
  readonly #open = new Map<Socket, UnreadableRequests>();
  readonly #unsent = new Map<Socket, Progress>();
  readonly #ended = { stalled: 0, address_limit: 0 };
  readonly #requests: PipelinedRequests[] = [];
  #unsentBytes = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#proxies = proxyNetworks(limits.TRUST_PROXY);
  }

  get openCount(): number {
    return this.#open.size;
  }

  /** Connections that were ended since the start, by the reason. */
  get endedCounts(): Readonly<{ stalled: number; address_limit: number; pipelining: number }> {
    return { ...this.#ended, pipelining: this.#requests.reduce((sum, { endedCount }) => sum + endedCount, 0) };
  }

  /** What clients had not taken when it was last looked at, within a second. */
  get unsentBytes(): number {
    return this.#unsentBytes;
  }

  get isFull(): boolean {
    return this.#unsentBytes > MOST_UNSENT_BYTES;
  }

  isProxy(socket: Socket): boolean {
    return this.#limits.TRUST_PROXY.length > 0 && isFrom(this.#proxies, socket);
  }

  /** Answers what could not be read, if the connection can have answers: over TLS, once the handshake is done. */
  refuse(error: ClientError, socket: Socket): void {
    const unreadable = this.#open.get(socket);
    if (unreadable) unreadable.refuse(error, socket);
    else socket.destroy();
  }

  /** Connections that nobody has used since this time, in ms of `performance.now()`, or ever. */
  idleSince(before: number): Socket[] {
    const isIdle = (socket: Socket) =>
      socket.bytesRead === 0 || this.#requests.some((requests) => requests.isIdleSince(socket, before));
    return [...this.#open.keys()].filter(isIdle);
  }

  /** Watches all connections of a server. `isTls`: those that finished the handshake can have answers. */
  watch(server: Server, { isTls, requests }: Readonly<{ isTls: boolean; requests: PipelinedRequests }>): void {
    this.#requests.push(requests);
    server.on('connection', (socket: Socket) => this.#admit(socket));
    const unreadable = new UnreadableRequests(server, requests);
    server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => this.#follow(socket, unreadable));
    const timer = setInterval(() => this.look(), LOOK_EVERY_MS).unref();
    server.once('close', () => clearInterval(timer));
  }

  /** Ends the connections whose peers have taken nothing for too long. */
  look(now = performance.now()): void {
    this.#unsentBytes = 0;
    for (const socket of this.#open.keys()) {
      const unsent = socket.writableLength;
      if (unsent === 0) {
        this.#unsent.delete(socket);
        continue;
      }
      this.#unsentBytes += unsent;
      const taken = takenBytes(socket);
      const progress = this.#unsent.get(socket);
      if (!progress) this.#unsent.set(socket, { taken, since: now });
      else if (progress.taken !== taken) Object.assign(progress, { taken, since: now });
      else if (now - progress.since >= this.#limits.SEND_TIMEOUT_MS) this.#endStalled(socket);
    }
  }

  #endStalled(socket: Socket): void {
    this.#ended.stalled += 1;
    this.#unsent.delete(socket);
    socket.destroy();
  }

  #admit(socket: Socket): void {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || this.isProxy(socket)) return;
    const address = addressKey(remoteAddress);
    const count = (this.#perAddress.get(address) ?? 0) + 1;
    if (count > this.#limits.MAX_CONNECTIONS_PER_ADDRESS) {
      this.#ended.address_limit += 1;
      socket.destroy();
      return;
    }
    this.#perAddress.set(address, count);
    socket.once('close', () => {
      const left = (this.#perAddress.get(address) ?? 1) - 1;
      if (left > 0) this.#perAddress.set(address, left);
      else this.#perAddress.delete(address);
    });
  }

  #follow(socket: Socket, unreadable: UnreadableRequests): void {
    if (socket.destroyed) return;
    this.#open.set(socket, unreadable);
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#unsent.delete(socket);
    });
  }
}

/** Grows only when the peer's kernel takes bytes, not when more is written. */
function takenBytes(socket: Socket): number {
  const { bytesWritten, writeQueueSize } = (socket as Socket & { _handle?: SocketHandle | null })._handle ?? {};
  if (bytesWritten === undefined || writeQueueSize === undefined) return socket.bytesWritten - socket.writableLength;
  return bytesWritten - writeQueueSize;
}
