import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a signature covers: the URL's path as it is sent, without host and query, and the raw body. */
export type Signable = Readonly<{ method: string; path: string; body: string | Uint8Array }>;

/** `clientId` is public, `secret` the text that was handed out with it. */
export type Credentials = Readonly<{ clientId: string; secret: string | Uint8Array }>;

/** One client whose secrets are exchanged one after the other: while two are live, either may have signed. */
export type Signers = Readonly<{ clientId: string; secrets: readonly (string | Uint8Array)[] }>;

/**
 * The signature of a request: Base64 of HMAC-SHA1, keyed with the client secret, over uppercased method, line feed,
 * path, line feed, raw body (checkout specification, "Authentication").
 *
 * @example sign({ method: 'GET', path: '/checkout/v1/purchases/ord_01', body: '' }, secret)
 */
export function sign({ method, path, body }: Signable, secret: string | Uint8Array): string {
  if (secret.length === 0) throw new TypeError('The secret is empty: anybody could sign with it.');
  // One byte for each character of the path: a request line has no others, and a server reads them so.
  const line = Buffer.from(`${method.toUpperCase()}\n${path}\n`, 'latin1');
  return createHmac('sha1', secret).update(line).update(body).digest('base64');
}

/** The value of `Authorization` that signs the request; `scheme` is the marketplace's word, `XX` where it has none. */
export function authorizationFor(request: Signable, { clientId, secret }: Credentials, scheme = 'XX'): string {
  return `${scheme} ${clientId}:${sign(request, secret)}`;
}

/**
 * Whether `authorization` signs the request with one of the secrets. Takes equally long wherever the two differ.
 *
 * @param authorization the header as received; undefined where there was none
 */
export function isSignedBy(
  authorization: string | undefined,
  request: Signable,
  { clientId, secrets }: Signers,
  scheme = 'XX',
): boolean {
  const received = Buffer.from(authorization ?? '');
  // No `some`: it would stop at the first that fits, and tell which.
  const matches = secrets.filter((secret) => {
    const expected = Buffer.from(authorizationFor(request, { clientId, secret }, scheme));
    // timingSafeEqual throws on unequal lengths, which are no secret.
    return received.length === expected.length && timingSafeEqual(received, expected);
  });
  return matches.length > 0;
}
