import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a signature covers. `path` is the request line's, without the query: one character for each byte. */
export type Signable = Readonly<{ method: string; path: string; body: Uint8Array }>;

/** The client secret as the text it was handed out as (its UTF-8 bytes are the key), or those bytes. */
export type Keyed = Signable & Readonly<{ secret: string | Uint8Array }>;

export type Credentials = Readonly<{ clientId: string; digest: Buffer }>;

const DIGEST_BYTES = 20;

/** Visible ASCII without ':', which ends the client id in the header. */
const CLIENT_ID = /^[!-9;-~]{1,128}$/;

export function isClientId(text: string): boolean {
  return CLIENT_ID.test(text);
}

/** The path that is signed: the request's URL as received, up to its query. */
export function signedPath(rawUrl: string): string {
  const query = rawUrl.indexOf('?');
  return query === -1 ? rawUrl : rawUrl.slice(0, query);
}

/**
 * HMAC-SHA1 (20 bytes) over uppercased method, line feed, path, line feed, raw body, as the checkout specification
 * ("Authentication") defines it.
 */
export function digest({ secret, method, path, body }: Keyed): Buffer {
  // Node reads the request line as latin1: only that gives the received bytes back.
  const line = Buffer.from(`${method.toUpperCase()}\n${path}\n`, 'latin1');
  return createHmac('sha1', secret).update(line).update(body).digest();
}

/** The base64 text of the signature. */
export function sign(request: Keyed): string {
  return digest(request).toString('base64');
}

/** The value of the Authorization header that signs this request. */
export function authorizationHeader(scheme: string, clientId: string, request: Keyed): string {
  return `${scheme} ${clientId}:${sign(request)}`;
}

/** Reads `<scheme> <client id>:<signature>`, byte for byte: `undefined` for anything that a platform would not send. */
export function parseAuthorization(scheme: string, header: string): Credentials | undefined {
  if (!header.startsWith(`${scheme} `)) return undefined;
  const colon = header.indexOf(':');
  const clientId = header.slice(scheme.length + 1, colon);
  const signature = header.slice(colon + 1);
  if (colon === -1 || !isClientId(clientId) || signature.length !== 28) return undefined;
  // Node decodes base64 leniently (other alphabets, stray bits, rubbish): the text must be what its bytes encode to.
  const received = Buffer.from(signature, 'base64');
  if (received.length !== DIGEST_BYTES || received.toString('base64') !== signature) return undefined;
  return { clientId, digest: received };
}

/** Whether `received` is the signature of this request; takes equally long wherever the two differ. */
export function verify(request: Keyed, received: Uint8Array): boolean {
  // timingSafeEqual throws on unequal lengths.
  return received.length === DIGEST_BYTES && timingSafeEqual(digest(request), received);
}
