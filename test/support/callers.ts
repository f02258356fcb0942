import { createHmac } from 'node:crypto';
import type { ListingBody } from '#listings/listing.contract';
import type { ErrorBody } from '#web/error-body.contract';
import { DocumentedAnswers } from './documented-answers.js';
import { checkoutListing } from './listing-body.js';

export type TestClient = Readonly<{ clientId: string; secret: string; variant: 'payment' | 'wholesale' }>;

/** Platform clients of every test api. */
export const PAYMENT: TestClient = { clientId: 'pay-1', secret: 'secret-of-the-payment-client', variant: 'payment' };
export const WHOLESALE: TestClient = { clientId: 'wh-1', secret: 'secret-of-the-wholesale-one', variant: 'wholesale' };
export const STAFF_TOKEN = 'token-of-the-test-administrator';

type Headers = Readonly<Record<string, string>>;

export type Answer = Readonly<{ status: number; headers: Response['headers']; text: string; body: unknown }>;

const documented = new DocumentedAnswers();

/**
 * Sends any request. A body that is neither text nor bytes is sent as JSON. Throws if the answer is that of a route of the OpenAPI document, but
 * not as it says there.
 */
export async function call(url: string, method: string, body?: unknown, headers: Headers = {}): Promise<Answer> {
  const payload = bytesOf(body);
  const sent = payload && { body: payload, headers: { 'content-type': 'application/json', ...headers } };
  const response = await fetch(url, { method, headers, ...sent });
  const text = await response.text();
  const mediaType = response.headers.get('content-type')?.split(';')[0] ?? '';
  const json: unknown = mediaType === 'application/json' && text !== '' ? JSON.parse(text) : undefined;
  const fault = documented.fault(method, new URL(url).pathname, { status: response.status, mediaType, text, json });
  if (fault !== undefined) throw new Error(`${fault}\n${text.slice(0, 2_000)}`);
  return { status: response.status, headers: response.headers, text, body: json };
}

function bytesOf(body: unknown): string | Uint8Array<ArrayBuffer> | undefined {
  if (body === undefined || typeof body === 'string') return body;
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
}

/** The `Authorization` header of the specification. Does not use the code under test. */
export function authorization(
  client: TestClient,
  method: string,
  path: string,
  body: string | Uint8Array = '',
): string {
  const hmac = createHmac('sha1', client.secret).update(`${method}\n${path}\n`).update(body).digest('base64');
  return `XX ${client.clientId}:${hmac}`;
}

/** A platform client: signs its requests to an api. */
export class Platform {
  constructor(
    private readonly url: string,
    readonly client: TestClient,
  ) {}

  /** `target` is path and query. The query is not signed. */
  send(method: string, target: string, body?: unknown, headers: Headers = {}): Promise<Answer> {
    const payload = bytesOf(body);
    const signed = authorization(this.client, method, target.split('?')[0] ?? '', payload);
    return call(`${this.url}${target}`, method, payload, { authorization: signed, ...headers });
  }

  lookUp(listingId: string, query = ''): Promise<Answer> {
    return this.send('GET', `/checkout/v1/listings/${listingId}${query && `?${query}`}`);
  }

  buy(body: unknown, headers: Headers = {}): Promise<Answer> {
    return this.send('POST', '/checkout/v1/purchases', body, headers);
  }

  read(purchaseId: string): Promise<Answer> {
    return this.send('GET', `/checkout/v1/purchases/${purchaseId}`);
  }

  /** Buys, and returns the id. Throws if the purchase is not accepted. */
  async bought(body: unknown): Promise<string> {
    const answer = await this.buy(body);
    if (answer.status !== 201) throw new Error(`The purchase was answered ${answer.status}: ${answer.text}`);
    return (answer.body as { id: string }).id;
  }
}

/** A client of the back office. Paths are relative to `/backoffice/v1/`. */
export class Staff {
  constructor(private readonly url: string) {}

  send(method: string, path: string, body?: unknown, headers: Headers = {}): Promise<Answer> {
    const bearer = { authorization: `Bearer ${STAFF_TOKEN}` };
    return call(`${this.url}/backoffice/v1/${path}`, method, body, { ...bearer, ...headers });
  }

  get(path: string): Promise<Answer> {
    return this.send('GET', path);
  }

  /** Creates a listing that matches the bodies of `purchase-bodies.ts`. */
  async putListing(id: string, change: Partial<ListingBody> = {}): Promise<void> {
    const answer = await this.send('PUT', `listings/${encodeURIComponent(id)}`, checkoutListing(change));
    if (answer.status !== 200) throw new Error(`The listing was answered ${answer.status}: ${answer.text}`);
  }

  /** How many tickets of the listing can be bought. */
  async available(id: string): Promise<number> {
    const { body } = await this.get(`listings/${encodeURIComponent(id)}`);
    return (body as { quantity: number }).quantity;
  }

  changeStatus(orderId: string, statusCode: number, version?: number): Promise<Answer> {
    const ifMatch = version === undefined ? {} : { 'if-match': `"${version}"` };
    return this.send('POST', `orders/${orderId}/status`, { status_code: statusCode }, ifMatch);
  }
}

/** The codes of an Error body, in its order; empty if it is not one. */
export function codesOf({ body }: Pick<Answer, 'body'>): number[] {
  return (body as Partial<ErrorBody> | undefined)?.errors?.map(({ code }) => code) ?? [];
}

/** The messages of an Error body, in its order. */
export function messagesOf({ body }: Pick<Answer, 'body'>): string[] {
  return (body as Partial<ErrorBody> | undefined)?.errors?.map(({ message }) => message) ?? [];
}
