import type { TransferRecipient } from '#domain/delivery-events';
import type { Sealer } from '#base/sealing';
import { type DeliveryRecord, type TransferRecord, untouchedSeats } from './delivery-records.js';
import type { OrderDelivery, Transfer } from './delivery.contract.js';
import { openedProofName } from './event-notes.js';
import { masked } from './masking.js';
import { type KeyedOrder, openedRecipient } from './transfer-recipient.js';

/** The transfer as the caller may see it. */
export function shownTransfer(sealer: Sealer, order: KeyedOrder, record: TransferRecord, inClear: boolean): Transfer {
  const { id, seat, source, confirmation_number, state, sent_at, sent_by, answered_at: answered } = record;
  const { sent_with, sealed_recipient: sealed } = record;
  const opened = sealed === null ? null : openedRecipient(sealer, order, { id: sent_with, sealed });
  const recipient: TransferRecipient = opened ?? { claim_url: null, holder: null };
  const { claim_url, holder } = inClear ? recipient : masked(recipient);
  const last = record.proofs.at(-1);
  return {
    id,
    seat,
    source,
    confirmation_number,
    claim_url,
    holder,
    state,
    sent_at,
    accepted_at: state === 'accepted' ? answered : null,
    declined_at: state === 'declined' ? answered : null,
    expired_at: state === 'expired' ? answered : null,
    sent_by,
    proof: last ? { ...last.proof, name: openedProofName(sealer, order, last), at: last.at } : null,
  };
}

type SeatsOfOrder = KeyedOrder & Readonly<{ quantity: number; delivery: DeliveryRecord | undefined }>;

/** The seats of an order's document. @param names of its ticket files, by id */
export function shownSeats(
  sealer: Sealer,
  order: SeatsOfOrder,
  names: ReadonlyMap<string, string | null>,
  inClear: boolean,
): NonNullable<OrderDelivery['seats']> {
  const seats = order.delivery?.seats ?? untouchedSeats(order.quantity);
  return seats.map(({ seat, barcode, transfer, file }) => ({
    seat,
    barcode,
    transfer: transfer && shownTransfer(sealer, order, transfer, inClear),
    file: file === null ? null : { id: file, name: names.get(file) ?? null },
  }));
}
