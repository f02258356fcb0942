import type { FastifyInstance, FastifyRequest } from 'fastify';

const HEADERS = {
  // Answers are private unless their route says otherwise.
  'cache-control': 'no-store',
  'content-security-policy': "frame-ancestors 'none'",
  // For browsers that do not know frame-ancestors.
  'x-frame-options': 'DENY',
  // Browsers must not render JSON with foreign text as a page.
  'x-content-type-options': 'nosniff',
};

// Without includeSubDomains: other hosts of the domain are not ours to decide about.
const HEADERS_OVER_HTTPS = { ...HEADERS, 'strict-transport-security': 'max-age=31536000' };

/** The headers of every answer. A route may replace them, for example by its own Cache-Control or policy. */
export function securityHeaders({ protocol }: Pick<FastifyRequest, 'protocol'>): Readonly<Record<string, string>> {
  return protocol === 'https' ? HEADERS_OVER_HTTPS : HEADERS;
}

/** Register this before hooks that may reject a request. */
export function setSecurityHeaders(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.headers(securityHeaders(request));
    done();
  });
}
