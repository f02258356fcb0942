import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Settings } from '#base/settings';

/** Load balancers and orchestrators use names of their own for these. */
export const HEALTH = '/health/';

type Named = Pick<Settings, 'PUBLIC_URL' | 'HOST' | 'ALLOWED_HOSTS'>;

/**
 * Whether a request's Host (with or without a port) is a name of this installation. A page of another site may let its own name
 * point to our address, and could then read what is served without a credential. It cannot do that with an address, nor with
 * a name without a dot, which public DNS does not have.
 */
export function knownHosts({ PUBLIC_URL, HOST, ALLOWED_HOSTS }: Named): (host: string) => boolean {
  const known = new Set([new URL(PUBLIC_URL).hostname, HOST, ...ALLOWED_HOSTS].map(bareName));
  return (host) => {
    const name = bareName(host.replace(/:\d*$/, ''));
    return !name.includes('.') || isIP(name) !== 0 || name.endsWith('.localhost') || known.has(name);
  };
}

/** Refuses other hosts on a server that serves only health and metrics. Register this after `setSecurityHeaders`. */
export function refuseUnknownHosts(fastify: FastifyInstance, settings: Named): void {
  const isKnown = knownHosts(settings);
  fastify.addHook('onRequest', (request, reply, done) => {
    if (isKnown(request.host) || request.raw.url?.startsWith(HEALTH)) return done();
    return reply.code(421).send({ errors: [{ code: 42100, message: 'Unknown host: set ALLOWED_HOSTS' }] });
  });
}

function bareName(host: string): string {
  return host
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^\[(.*)\]$/, '$1');
}
