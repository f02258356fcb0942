import type { FastifyRequest } from 'fastify';
import { addressKey } from '../client-address.js';

/** The requests in hand of each client behind a trusted proxy, where a client has no connections of its own to be counted. */
export class ProxiedClients {
  readonly #inHand = new Map<string, number>();

  constructor(private readonly mostInHand: number) {}

  /** False if this client has as many requests in hand as a client without a proxy may have connections. */
  admit({ ip, raw }: FastifyRequest, closed: (listener: () => void) => void): boolean {
    const address = addressKey(ip);
    const count = (this.#inHand.get(address) ?? 0) + 1;
    if (count > this.mostInHand || raw.socket.destroyed) return false;
    this.#inHand.set(address, count);
    closed(() => {
      const left = (this.#inHand.get(address) ?? 1) - 1;
      if (left > 0) this.#inHand.set(address, left);
      else this.#inHand.delete(address);
    });
    return true;
  }
}
