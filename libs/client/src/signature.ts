import { createHmac, timingSafeEqual } from 'node:crypto';

/** The signed parts: the method, the URL's path as sent, without host and query, and the raw body. */
export type Signable = Readonly<{ method: string; path: string; body: string | Uint8Array }>;

/** `clientId` is public. `secret` is the text that came with it. */
export type Credentials = Readonly<{ clientId: string; secret: string | Uint8Array }>;

/** One client and its live secrets. During a rotation two are live, and either may have signed. */
export type Signers = Readonly<{ clientId: string; secrets: readonly (string | Uint8Array)[] }>;

/**
 * Signs a request: Base64 of HMAC-SHA1 with the client secret, over uppercase method, line feed, path, line feed, raw body
 * (checkout specification, "Authentication").
 * @example sign({ method: 'GET', path: '/checkout/v1/purchases/ord_01', body: '' }, secret)
 */
export function sign({ method, path, body }: Signable, secret: string | Uint8Array): string {
  if (secret.length === 0) throw new TypeError('The secret is empty: anybody could sign with it.');
  // latin1 is one byte per character, as in a request line and as servers read it.
  const line = Buffer.from(`${method.toUpperCase()}\n${path}\n`, 'latin1');
  return createHmac('sha1', secret).update(line).update(body).digest('base64');
}

/** Returns the `Authorization` value that signs the request. `scheme` is the marketplace's word, `XX` by default. */
export function authorizationFor(request: Signable, { clientId, secret }: Credentials, scheme = 'XX'): string {
  return `${scheme} ${clientId}:${sign(request, secret)}`;
}

/** Compares in constant time. `authorization` is the received header. */
export function isSignedBy(
  authorization: string | undefined,
  request: Signable,
  { clientId, secrets }: Signers,
  scheme = 'XX',
): boolean {
  const received = Buffer.from(authorization ?? '');
  // `some` would stop at the first match, and its time would reveal which one.
  const matches = secrets.filter((secret) => {
    const expected = Buffer.from(authorizationFor(request, { clientId, secret }, scheme));
    // timingSafeEqual throws on unequal lengths, which are no secret.
    return received.length === expected.length && timingSafeEqual(received, expected);
  });
  return matches.length > 0;
}
