import type { Webhook as Signer } from 'standardwebhooks';

/** What is sent: the same id and the same bytes with every attempt. */
export type Message = Readonly<{ id: string; body: string }>;

/** An entry of the ping stream, as the feed shows it, in JSON. `occurred_at` is in it too. */
export type Entry = Readonly<{ id: string; occurred_at: string; json: string }>;

/** The types that a receiver can ask for. */
export const EVENT_TYPES = ['order.status'] as const;

/** Says which status an order has taken: the entry as its data, and the time at which that happened. */
export function statusMessage({ id, occurred_at, json }: Entry): Message {
  return { id, body: `{"type":"order.status","timestamp":"${occurred_at}","data":${json}}` };
}

/** A message by which a receiver is tried out. */
export function testMessage(id: string, webhookId: string, at: string): Message {
  const data = { webhook_id: webhookId, message: 'This is a test. No order has changed.' };
  return { id, body: JSON.stringify({ type: 'webhook.test', timestamp: at, data }) };
}

const SIGNATURE_HEADER = 'webhook-signature';

const EPOCH_HEADER = 'willcall-epoch';

/** Which epoch the database is in: after a restore an order may have another change under an id that was sent before. */
export function epochHeader(epoch: string | undefined): Record<string, string> {
  return epoch === undefined ? {} : { [EPOCH_HEADER]: epoch };
}

/** The headers of one attempt, signed with each of the secrets (Standard Webhooks 1.0). `at` in milliseconds since the epoch. */
export function headersOf({ id, body }: Message, signers: readonly Signer[], at: number): Record<string, string> {
  return {
    ...unsignedHeaders(id, at),
    [SIGNATURE_HEADER]: signers.map((signer) => signer.sign(id, new Date(at), body)).join(' '),
  };
}

/** Those that staff may see. */
export function unsignedHeaders(id: string, at: number): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'willcall',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1_000)),
  };
}
