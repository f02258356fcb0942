import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { KNOWN_FOR_S } from './known-browsers.js';

// Browsers take the prefix __Host- only with Secure, with the path / and without a domain: no neighbouring host can set it.
const OVER_HTTPS = '__Host-willcall';
const OVER_HTTP = 'willcall';

const PENDING = '-openid';
const PENDING_FOR_S = 10 * 60;
const KNOWN = '-known';

export function sessionTokenIn(request: FastifyRequest): string | undefined {
  return parseCookie(request.headers.cookie ?? '')[cookieName(request)];
}

/** A cookie without an end, because the server decides when the session ends. */
export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, token: string): void {
  void reply.header('set-cookie', cookie(request, cookieName(request), token));
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  void reply.header('set-cookie', cookie(request, cookieName(request), '', 0));
}

/** What the browser keeps while the person is at the OpenID provider. */
export function pendingSignInIn(request: FastifyRequest): string | undefined {
  return parseCookie(request.headers.cookie ?? '')[cookieName(request) + PENDING];
}

export function setPendingCookie(request: FastifyRequest, reply: FastifyReply, pending: string): void {
  void reply.header('set-cookie', cookie(request, cookieName(request) + PENDING, pending, PENDING_FOR_S));
}

export function clearPendingCookie(request: FastifyRequest, reply: FastifyReply): void {
  void reply.header('set-cookie', cookie(request, cookieName(request) + PENDING, '', 0));
}

/** What the browser keeps of earlier sign-ins. It gives no access. */
export function knownBrowserIn(request: FastifyRequest): string | undefined {
  return parseCookie(request.headers.cookie ?? '')[cookieName(request) + KNOWN];
}

export function setKnownBrowserCookie(request: FastifyRequest, reply: FastifyReply, note: string): void {
  void reply.header('set-cookie', cookie(request, cookieName(request) + KNOWN, note, KNOWN_FOR_S));
}

function cookie(request: FastifyRequest, name: string, value: string, maxAge?: number): string {
  return stringifySetCookie({
    name,
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
