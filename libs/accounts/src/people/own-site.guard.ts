import type { IncomingMessage } from 'node:http';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { HttpError } from '#web/http-error';
import { SAFE_METHODS } from '#web/safe-methods';

/** `none` is a person's own doing, such as an address that was typed. Programs and old browsers send nothing. */
const OTHER_SITES = ['cross-site', 'same-site'];

/** Whether a browser says that a page of another site makes this request, and it is one that changes something. */
export function isFromOtherSite({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  return !SAFE_METHODS.includes(method) && OTHER_SITES.includes(String(headers['sec-fetch-site']));
}

/**
 * For routes that change something before there is a session, and so without its CSRF token. A page of another site could otherwise sign
 * somebody in as somebody else: its forms can send a JSON text, but not as `application/json`.
 */
@Injectable()
export class OwnSiteGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (isFromOtherSite(request)) throw HttpError.with(40310, 'the request comes from another site');
    const hasBody = Buffer.isBuffer(request.body) && request.body.length > 0;
    if (hasBody && !isJson(request.raw)) throw HttpError.with(41500, 'send application/json');
    return true;
  }
}

/** By the headers as they came in: the server hides the type of bodies from all other routes. */
function isJson({ rawHeaders }: IncomingMessage): boolean {
  const types = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'content-type');
  const media = types.map((type) => type.split(';')[0]?.trim().toLowerCase());
  return media.length > 0 && media.every((type) => type === 'application/json');
}
