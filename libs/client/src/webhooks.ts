import { createHmac, timingSafeEqual } from 'node:crypto';
import { isPingEntry, type PingEntry } from './ping-entry.js';
import { headerIn, type ReceivedHeaders } from './received-headers.js';

export type { OrderStatus } from './order-status.js';
export type { PingEntry } from './ping-entry.js';

export type WebhookRequest = Readonly<{
  headers: ReceivedHeaders;
  /** The raw body, before any parsing. */
  body: string | Uint8Array;
}>;

export type WebhookVerification = Readonly<{
  /** `whsec_…`. During a rotation, pass both. */
  secrets: readonly string[];
  /** How old, or how far ahead of our clock, the signature may be; default 5 minutes. */
  toleranceMs?: number;
  /** Milliseconds since the epoch. */
  now?: () => number;
}>;

type Event = Readonly<{
  /** `webhook-id`: the same in every attempt. Process each id once. */
  id: string;
  /** ISO 8601. */
  timestamp: string;
}>;

/** An order has changed. `data` is the entry of the feed, and `id` is its id. */
export type OrderStatusEvent = Event & Readonly<{ type: 'order.status'; data: PingEntry }>;

/** Any event. This version may not know its type; check with `isOrderStatus`. */
export type WebhookEvent = Event & Readonly<{ type: string; data: unknown }>;

export type WebhookErrorReason =
  'missing or repeated header' | 'too old' | 'too new' | 'wrong signature' | 'the body is no event';

/** Answer it with 400, or it is sent again. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';

  constructor(readonly reason: WebhookErrorReason) {
    super(`Webhook refused: ${reason}`);
  }
}

const TOLERANCE_MS = 5 * 60 * 1_000;
// Standard Webhooks 1.0: a key has 24 to 64 bytes.
const SHORTEST_KEY_BYTES = 24;

/**
 * Returns the event of a signed webhook (Standard Webhooks 1.0); throws a `WebhookVerificationError` for any other request.
 * @example const event = verifyWebhook({ headers: request.headers, body: rawBody }, { secrets: [secret] });
 */
export function verifyWebhook({ headers, body }: WebhookRequest, verification: WebhookVerification): WebhookEvent {
  const { secrets, toleranceMs = TOLERANCE_MS, now = Date.now } = verification;
  const keys = secrets.map(keyOf);
  const [id, sent, signatures] = ['id', 'timestamp', 'signature'].map((name) => headerIn(headers, `webhook-${name}`));
  if (!id || !signatures || !/^\d{1,12}$/.test(sent ?? ''))
    throw new WebhookVerificationError('missing or repeated header');
  const received = signatures.split(' ').filter((text) => text.startsWith('v1,'));
  const isSigned = keys.some((key) => {
    const expected = createHmac('sha256', key).update(`${id}.${sent}.`).update(body).digest('base64');
    return received.some((text) => isEqual(text.slice('v1,'.length), expected));
  });
  if (!isSigned) throw new WebhookVerificationError('wrong signature');
  const age = now() - Number(sent) * 1_000;
  if (Math.abs(age) > toleranceMs) throw new WebhookVerificationError(age > 0 ? 'too old' : 'too new');
  return { ...eventIn(body), id };
}

/** Returns whether the event is an order status; then `data` is an entry of the feed. */
export function isOrderStatus(event: WebhookEvent): event is OrderStatusEvent {
  return event.type === 'order.status' && isPingEntry(event.data);
}

function keyOf(secret: string): Buffer {
  const text = secret.replace(/^whsec_/, '');
  const key = Buffer.from(text, 'base64');
  if (key.length < SHORTEST_KEY_BYTES || key.toString('base64').replace(/=+$/, '') !== text.replace(/=+$/, '')) {
    throw new TypeError('A webhook secret is whsec_ and at least 24 bytes in base64.');
  }
  return key;
}

function isEqual(received: string, expected: string): boolean {
  const [left, right] = [Buffer.from(received), Buffer.from(expected)];
  // timingSafeEqual throws on unequal lengths, which are no secret.
  return left.length === right.length && timingSafeEqual(left, right);
}

function eventIn(body: string | Uint8Array): Omit<WebhookEvent, 'id'> {
  const text = typeof body === 'string' ? body : Buffer.from(body).toString();
  try {
    const { type, timestamp, data } = JSON.parse(text) as Record<string, unknown>;
    if (typeof type === 'string' && typeof timestamp === 'string') return { type, timestamp, data };
  } catch {
    // The throw below reports it.
  }
  throw new WebhookVerificationError('the body is no event');
}
