import type { Webhook as Signer } from 'standardwebhooks';

/** All attempts send the same id and the same bytes. */
export type Message = Readonly<{ id: string; body: string }>;

const SIGNATURE_HEADER = 'webhook-signature';

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
