import type { Webhook as Signer } from 'standardwebhooks';

/** All attempts send the same id and the same bytes. */
export type Message = Readonly<{ id: string; body: string }>;

/** `json` is the wire format, which also contains `occurred_at`. */
export type Entry = Readonly<{ id: string; occurred_at: string; json: string }>;

export const EVENT_TYPES = ['order.status'] as const;

export function statusMessage({ id, occurred_at, json }: Entry): Message {
  return { id, body: `{"type":"order.status","timestamp":"${occurred_at}","data":${json}}` };
}

export function testMessage(id: string, webhookId: string, at: string): Message {
  const data = { webhook_id: webhookId, message: 'This is a test. No order has changed.' };
  return { id, body: JSON.stringify({ type: 'webhook.test', timestamp: at, data }) };
}

const SIGNATURE_HEADER = 'webhook-signature';

const EPOCH_HEADER = 'willcall-epoch';

/** After a restore of the database an id that was already sent may mean a different change. */
export function epochHeader(epoch: string | undefined): Record<string, string> {
  return epoch === undefined ? {} : { [EPOCH_HEADER]: epoch };
}

/** Signed with each secret (Standard Webhooks 1.0). `at` is in milliseconds since the epoch. */
export function headersOf({ id, body }: Message, signers: readonly Signer[], at: number): Record<string, string> {
  return {
    ...unsignedHeaders(id, at),
    [SIGNATURE_HEADER]: signers.map((signer) => signer.sign(id, new Date(at), body)).join(' '),
  };
}

export function unsignedHeaders(id: string, at: number): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'willcall',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1_000)),
  };
}
