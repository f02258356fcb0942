import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

// Browsers take the prefix __Host- only with Secure, with the path / and without a domain: no neighbouring host can set it.
const OVER_HTTPS = '__Host-willcall';
const OVER_HTTP = 'willcall';

export function sessionTokenIn(request: FastifyRequest): string | undefined {
  const cookies = parseCookie(request.headers.cookie ?? '');
  return cookies[cookieName(request)];
}

/** A cookie of the browser's session: the server ends the session by its own times. */
export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, token: string): void {
  void reply.header('set-cookie', cookie(request, token));
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  void reply.header('set-cookie', cookie(request, '', 0));
}

function cookie(request: FastifyRequest, value: string, maxAge?: number): string {
  return stringifySetCookie({
    name: cookieName(request),
    value,
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure: isSecure(request),
    ...(maxAge !== undefined && { maxAge }),
  });
}

function cookieName(request: FastifyRequest): string {
  return isSecure(request) ? OVER_HTTPS : OVER_HTTP;
}

function isSecure(request: FastifyRequest): boolean {
  return request.protocol === 'https';
}
