import { authorizationHeader } from '#base/signature';

export type Signer = Readonly<{ clientId: string; secret: string }>;

/** What a load generator sends. It builds and signs all requests before the clock starts. */
export type RequestPlan =
  | (Readonly<{
      signer: Signer;
      count: number;
      /** Part of the `ref_id`s; different in every run. */ run: string;
    }> &
      (
        | Readonly<{
            kind: 'wholesale' | 'payment';
            listingIds: readonly string[];
            /** That of `marketplace.ts` if left out. */ eventId?: string;
          }>
        | Readonly<{ kind: 'get'; paths: readonly string[] }>
      ))
  /** Requests to the public API are not signed. */
  | Readonly<{ kind: 'public'; count: number; paths: readonly string[] }>;

/** The bytes of each request, signed as a platform signs. */
export function buildRequests(plan: RequestPlan): Buffer[] {
  return Array.from({ length: plan.count }, (_, index) => {
    if (plan.kind === 'public') return unsigned(plan.paths[index % plan.paths.length] ?? '/');
    if (plan.kind === 'get') {
      return signed(plan.signer, { method: 'GET', path: plan.paths[index % plan.paths.length] ?? '/', body: '' });
    }
    const listingId = plan.listingIds[(index * 7) % plan.listingIds.length] ?? '';
    const refId = `sg-${plan.run}-${index}`;
    const product = { event_id: plan.eventId ?? '5512', listing_id: listingId, quantity: 2 };
    const body = plan.kind === 'wholesale' ? wholesaleBody(product, refId) : paymentBody(product, refId);
    return signed(plan.signer, { method: 'POST', path: '/checkout/v1/purchases', body: JSON.stringify(body) });
  });
}

function unsigned(path: string): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\n\r\n`);
}

function signed({ clientId, secret }: Signer, request: { method: string; path: string; body: string }): Buffer {
  const { method, path } = request;
  const body = Buffer.from(request.body);
  const transactionId = `4c1f6a52-7d0b-4b5c-9a44-${Math.random().toString(16).slice(2, 14).padEnd(12, '0')}`;
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: ${authorizationHeader('XX', clientId, { secret, method, path, body })}`,
    `X-XX-Transaction-Id: ${transactionId}`,
    'Accept: application/json',
    ...(method === 'POST' ? ['Content-Type: application/json', `Content-Length: ${body.length}`] : []),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]);
}

const user = {
  email: 'ada.lovelace@example.com',
  phone: '+1 212 555 0100',
  ip_address: '192.0.2.7',
  location: { lat: 40.7128, lon: -74.006 },
};

const address = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  address1: '12 Analytical Way',
  address2: 'Apt 3',
  city: 'New York',
  state: 'NY',
  zip: '10001',
  country: 'US',
};

type Product = Readonly<{ event_id: string; listing_id: string; quantity: number }>;

/** Two tickets of the listing in `marketplace.ts` at 90 dollars wholesale. */
function wholesaleBody(product: Product, refId: string): object {
  return { product: { ...product, total: 180 }, user, ref_id: refId };
}

/** Two tickets at 110 dollars, 8.875 % tax for New York, and 15 dollars for shipping. */
function paymentBody(product: Product, refId: string): object {
  const card = { card_number: '4111111111111111', expiry_month: '12', expiry_year: '2039', cvv: '123' };
  return {
    product,
    user,
    payment: { total: 254.53, type: 'creditcard', data: { ...card, ...address } },
    delivery_method: { type: 'ship', data: { ...address, phone: user.phone } },
    ref_id: refId,
    is_trusted_user: 'true',
  };
}
