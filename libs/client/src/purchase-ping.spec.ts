import { describe, expect, it } from 'vitest';
import { PurchasePingVerificationError, type PurchasePingRequest, verifyPurchasePing } from './purchase-ping.js';
import { authorizationFor } from './signature.js';

const SECRET = 'a-secret-of-sixteen';
const path = '/hooks/markets/purchases/ord_1%2F2/update';

function ping(change: Partial<PurchasePingRequest> = {}, signedPath = path): PurchasePingRequest {
  const authorization = authorizationFor(
    { method: 'POST', path: signedPath, body: '' },
    { clientId: 'p-1', secret: SECRET },
    'TP',
  );
  const headers = { authorization, 'x-tp-transaction-id': 'txn-1' };
  return { method: 'POST', url: `${path}?ref_id=r%26%3D1+2`, headers, ...change };
}

const verified = (request: PurchasePingRequest) =>
  verifyPurchasePing(request, { clientId: 'p-1', secrets: [SECRET, 'the-one-before'], scheme: 'TP' });

describe('a purchase ping', () => {
  it("contains the order, with the platform's reference", () => {
    expect(verified(ping())).toEqual({ orderId: 'ord_1/2', refId: 'r&=1 2', transactionId: 'txn-1' });
    expect(verified(ping({ url: path }))).toMatchObject({ refId: undefined });
  });

  it('may have the headers of fetch, and header names in any case', () => {
    const headers = ping().headers as Record<string, string>;
    expect(verified(ping({ headers: new Headers(headers) })).transactionId).toBe('txn-1');
    const upperCase = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]));
    expect(verified(ping({ headers: upperCase })).transactionId).toBe('txn-1');
  });

  it.each([
    ['another path', ping({ url: path.replace('ord_1', 'ord_2') })],
    ['a path that is decoded', ping({ url: decodeURIComponent(path) })],
    ['a body', ping({ body: '{}' })],
    ['another method', ping({ method: 'PUT' })],
    ['no signature', ping({ headers: {} })],
    [
      'two signatures',
      ping({
        headers: {
          authorization: [1, 2].map(() => String((ping().headers as Record<string, string>)['authorization'])),
        },
      }),
    ],
  ])('is rejected with %s', (_what, request) => {
    expect(() => verified(request)).toThrow(new PurchasePingVerificationError('not signed'));
  });

  it.each([
    '/markets/purchases//update',
    '/markets/purchases/%ff/update',
    '/markets/purchases/a/updated',
    '/markets/purchases/a/b/update',
  ])('is rejected at %s, even with a valid signature', (url) =>
    expect(() => verified(ping({ url }, url))).toThrow(new PurchasePingVerificationError('no purchase ping')),
  );
});
