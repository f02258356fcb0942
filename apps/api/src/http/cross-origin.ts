import type { FastifyInstance } from 'fastify';
import { isDiscovery } from './discovery-path.js';

const DAY_SECONDS = 86_400;

const OF_EVERY_ANSWER = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset',
  // An answer is what its type says: JSON with a stranger's text in it never becomes a page.
  'x-content-type-options': 'nosniff',
};

const OF_PREFLIGHTS = {
  allow: 'GET, HEAD, OPTIONS',
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': 'Authorization, If-None-Match',
  'access-control-max-age': String(DAY_SECONDS),
};

/** Lets pages of any origin read the discovery API: its key is public, and there are no cookies. Before what may refuse a request. */
export function openToAnyOrigin(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (isDiscovery(request.raw.url ?? '')) reply.headers(OF_EVERY_ANSWER);
    done();
  });
}

/** Answers preflights, which carry no key. After what may refuse a request. */
export function answerPreflights(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (request.method !== 'OPTIONS' || !isDiscovery(request.raw.url ?? '')) return done();
    return reply.code(204).headers(OF_PREFLIGHTS).send();
  });
}
