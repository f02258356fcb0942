import type { FastifyRequest } from 'fastify';
import { ArgumentReader } from './argument-reader.js';
import type { Reservation } from './long-answers.js';
import type { Query } from './query-string.js';

/** A request that the DiscoveryGuard admitted. */
export type DiscoveryRequest = FastifyRequest & {
  admitted?: Readonly<{ query: Query; maxPerPage: number }>;
  /** Of a request for a long answer. */
  reservation?: Reservation;
};

export function argumentsOf({ admitted }: DiscoveryRequest): ArgumentReader {
  if (!admitted) throw new Error('A route that reads arguments needs the DiscoveryGuard.');
  return new ArgumentReader(admitted.query, admitted.maxPerPage);
}
