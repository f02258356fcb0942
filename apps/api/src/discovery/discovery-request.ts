import type { FastifyRequest } from 'fastify';
import { ArgumentReader } from './argument-reader.js';
import type { Query } from './query-string.js';

/** A request that the DiscoveryGuard admitted. */
export type DiscoveryRequest = FastifyRequest & { discoveryQuery?: Query };

export function argumentsOf({ discoveryQuery }: DiscoveryRequest): ArgumentReader {
  if (!discoveryQuery) throw new Error('A route that reads arguments needs the DiscoveryGuard.');
  return new ArgumentReader(discoveryQuery);
}
