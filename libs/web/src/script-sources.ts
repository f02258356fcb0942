import type { FastifyRequest } from 'fastify';

const PLAIN_HOST = /^[a-z0-9.-]+(:\d+)?$/i;

/**
 * What a page of this server allows as the source of its scripts: the files of one folder. `'self'` would also allow the answers of /2
 * that call a function which the address names (`callback`). The server may be known under several names, and a proxy may hide which.
 */
export function scriptSources(
  { protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>,
  publicUrl: string,
  folder: string,
): string {
  // A source cannot name an address of IPv6.
  if (!PLAIN_HOST.test(host)) return "'self'";
  return [...new Set([`${protocol}://${host}`, new URL(publicUrl).origin])].map((origin) => origin + folder).join(' ');
}
