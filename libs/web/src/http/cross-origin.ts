import type { FastifyInstance } from 'fastify';
import { isDiscovery } from '../discovery-path.js';

const DAY_SECONDS = 86_400;

const RESPONSE_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset',
};

const PREFLIGHT_HEADERS = {
  allow: 'GET, HEAD, OPTIONS',
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': 'Authorization, If-None-Match',
  'access-control-max-age': String(DAY_SECONDS),
};

/**
 * Allows pages of any origin to read the discovery API: its key is public, and there are no cookies. Register this before hooks
 * that may reject a request.
 */
export function allowAnyOrigin(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (isDiscovery(request.raw.url ?? '')) reply.headers(RESPONSE_HEADERS);
    done();
  });
}

/** Answers preflights, which carry no key. Register this after hooks that may reject a request. */
export function answerPreflights(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (request.method !== 'OPTIONS' || !isDiscovery(request.raw.url ?? '')) return done();
    return reply.code(204).headers(PREFLIGHT_HEADERS).send();
  });
}
