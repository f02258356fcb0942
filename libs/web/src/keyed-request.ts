import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Claim } from '#platform/idempotency-keys';
import { HttpError } from './http-error.js';
import { HashedBody } from './http/hashed-body.js';
import { isIdempotencyKey, isIdempotent } from './idempotent-routes.js';

/** A request that may have an `Idempotency-Key`. */
export type KeyedRequest = FastifyRequest & {
  caller?: Readonly<{ actor: string }>;
  /** Set while this is the first request with its key. */
  idempotency?: Claim;
};

/** Undefined without the header, and for routes that ignore it. @throws HttpError 400 */
export function idempotencyKeyOf({ method, routeOptions, headers }: FastifyRequest): string | undefined {
  const value = headers['idempotency-key'];
  if (value === undefined || !isIdempotent(method, routeOptions.url ?? '')) return undefined;
  const key = String(value);
  if (!isIdempotencyKey(key)) throw HttpError.with(40001, 'idempotency-key must have 1 to 255 characters');
  return key;
}

/** What a request asks for: method, path, query and body. Undefined while a streamed body has not arrived. */
export function askedSoFar({ method, url, body }: FastifyRequest): string | undefined {
  if (body instanceof HashedBody) return undefined;
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  return asked(method, url, createHash('sha256').update(bytes).digest('hex'));
}

/** The same, once the whole body is there. Undefined if that fails. */
export async function askedAtEnd(request: FastifyRequest, signal?: AbortSignal): Promise<string | undefined> {
  const { method, url, body } = request;
  if (!(body instanceof HashedBody)) return askedSoFar(request);
  const digest = await body.digest(signal);
  return digest && asked(method, url, digest);
}

const asked = (method: string, url: string, digest: string) => `${method} ${url}\n${digest}`;
