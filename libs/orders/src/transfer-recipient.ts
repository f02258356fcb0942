import { parseJson } from '#base/json';
import { type Sealer, UnsealError } from '#base/sealing';
import type { TransferRecipient } from '#domain/delivery-events';
import type { Fulfillment } from '#domain/order-events';

/** What opens sealed data of an order. `key` is null after an erasure. */
export type KeyedOrder = Readonly<{ id: string; key: Buffer | null }>;

/** The sealed recipient of a transfer. `id`: the transfer that it is sealed for. */
export type SealedClaim = Readonly<{ id: string; sealed: string }>;

/** Binds the recipient to the first of its transfers. */
export const recipientId = (transferId: string) => `transfer/${transferId}`;

/** To whom a transfer went. Null if it was erased, or does not open. */
export function openedRecipient(sealer: Sealer, order: KeyedOrder, claim: SealedClaim): TransferRecipient | null {
  if (!order.key) return null;
  try {
    const sealed = Buffer.from(claim.sealed, 'base64');
    return parseJson(sealer.openNote(order.id, recipientId(claim.id), order.key, sealed)) as TransferRecipient;
  } catch (error) {
    if (error instanceof UnsealError) return null;
    throw error;
  }
}

/** What the platform reads of transferred tickets: their claim address, if all have the same one. */
export function claimedDownload(sealer: Sealer, order: KeyedOrder, claims: readonly SealedClaim[]): Fulfillment | null {
  const urls = claims.map((claim) => openedRecipient(sealer, order, claim)?.claim_url ?? null);
  const [first = null] = urls;
  return first !== null && urls.every((url) => url === first) ? { type: 'download', data: { url: first } } : null;
}
