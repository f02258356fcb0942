import { timingSafeEqual } from 'node:crypto';
import { HmacKey } from './hmac.js';

/** `path` has no query and one character per byte. */
export type Signable = Readonly<{ method: string; path: string; body: Uint8Array }>;

/** The secret is the issued text (its UTF-8 bytes are the key), those bytes, or the key made of them. */
export type SignatureInput = Signable & Readonly<{ secret: string | Uint8Array | HmacKey }>;

export type Credentials = Readonly<{ clientId: string; digest: Buffer }>;

const DIGEST_BYTES = 20;

/** Visible ASCII without ':', which ends the client id in the header. */
const CLIENT_ID = /^[!-9;-~]{1,128}$/;

export function isClientId(text: string): boolean {
  return CLIENT_ID.test(text);
}

export function signedPath(rawUrl: string): string {
  const query = rawUrl.indexOf('?');
  return query === -1 ? rawUrl : rawUrl.slice(0, query);
}

/** HMAC-SHA1 (20 bytes) over uppercase method, line feed, path, line feed and raw body (checkout specification, "Authentication"). */
export function digest({ secret, method, path, body }: SignatureInput): Buffer {
  // Node decodes the request line as latin1, so encoding as latin1 restores the received bytes.
  const line = Buffer.from(`${method.toUpperCase()}\n${path}\n`, 'latin1');
  const key = secret instanceof HmacKey ? secret : signingKey(secret);
  return key.digest(line, body);
}

/** For secrets that sign or verify many requests. */
export function signingKey(secret: string | Uint8Array): HmacKey {
  return new HmacKey('sha1', typeof secret === 'string' ? Buffer.from(secret) : secret);
}

export function sign(request: SignatureInput): string {
  return digest(request).toString('base64');
}

export function authorizationHeader(scheme: string, clientId: string, request: SignatureInput): string {
  return `${scheme} ${clientId}:${sign(request)}`;
}

/** Parses `<scheme> <client id>:<signature>` strictly. */
export function parseAuthorization(scheme: string, header: string): Credentials | undefined {
  if (!header.startsWith(`${scheme} `)) return undefined;
  const colon = header.indexOf(':');
  const clientId = header.slice(scheme.length + 1, colon);
  const signature = header.slice(colon + 1);
  if (colon === -1 || !isClientId(clientId) || signature.length !== 28) return undefined;
  // Node decodes base64 leniently, so the text must equal the encoding of its bytes.
  const received = Buffer.from(signature, 'base64');
  if (received.length !== DIGEST_BYTES || received.toString('base64') !== signature) return undefined;
  return { clientId, digest: received };
}

/** Compares in constant time. */
export function verify(request: SignatureInput, received: Uint8Array): boolean {
  return received.length === DIGEST_BYTES && timingSafeEqual(digest(request), received);
}
