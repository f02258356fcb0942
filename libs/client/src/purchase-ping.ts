import { headerIn, type ReceivedHeaders } from './received-headers.js';
import { isSignedBy, type Signers } from './signature.js';

export type PurchasePingRequest = Readonly<{
  method?: string | undefined;
  /** Path and query exactly as sent, with percent-encoding: `request.url` of Node's http, Fastify and Express. */
  url: string;
  headers: ReceivedHeaders;
  /** A purchase ping has none. */
  body?: string | Uint8Array;
}>;

export type PingVerification = Signers &
  Readonly<{
    /** The marketplace's word in `Authorization: XX …`; default `XX`. */
    scheme?: string;
  }>;

/** A purchase ping: this order has changed, so read it. */
export type PurchasePing = Readonly<{
  orderId: string;
  /** Your own reference. It comes in the query, which the signature does not cover: find your order by `orderId`. */
  refId: string | undefined;
  transactionId: string | undefined;
}>;

export type PurchasePingErrorReason = 'not signed' | 'no purchase ping';

/** Answer 401 when the reason is `not signed`, else 404. */
export class PurchasePingVerificationError extends Error {
  override readonly name = 'PurchasePingVerificationError';

  constructor(readonly reason: PurchasePingErrorReason) {
    super(`Purchase ping refused: ${reason}`);
  }
}

const PATH = /\/markets\/purchases\/([^/]+)\/update$/;

/**
 * Reads a purchase ping with a valid signature; throws a `PurchasePingVerificationError` for any other request. Answer 2xx with
 * `{"order_id": …}`, or the ping is sent again. The ping has no time of its own: it only tells you to read the purchase.
 * @example const { orderId } = verifyPurchasePing(request, { clientId, secrets: [secret] });
 */
export function verifyPurchasePing(
  request: PurchasePingRequest,
  { scheme = 'XX', ...signers }: PingVerification,
): PurchasePing {
  const { method = 'POST', url, headers, body = '' } = request;
  const [path = '', query] = url.split(/\?(.*)/s);
  const authorization = headerIn(headers, 'authorization');
  if (!isSignedBy(authorization, { method, path, body }, signers, scheme))
    throw new PurchasePingVerificationError('not signed');
  const orderId = decoded(PATH.exec(path)?.[1]);
  if (orderId === undefined || method !== 'POST') throw new PurchasePingVerificationError('no purchase ping');
  return {
    orderId,
    refId: new URLSearchParams(query).get('ref_id') ?? undefined,
    transactionId: headerIn(headers, `x-${scheme}-transaction-id`),
  };
}

function decoded(segment: string | undefined): string | undefined {
  try {
    return segment && decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
