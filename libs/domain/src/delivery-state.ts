import type { TransferProof } from './delivery-events.js';

export const TRANSFER_STATES = ['sent', 'accepted', 'declined', 'expired'] as const;
export type TransferState = (typeof TRANSFER_STATES)[number];

/** A seat that was sent to the buyer's account. Times are ISO 8601. */
export type Transfer = Readonly<{
  id: string;
  seat: string;
  source: string;
  confirmation_number: string | null;
  /** Encrypted `TransferRecipient`, base64. Null if there is none. */
  sealed_recipient: string | null;
  /** The first transfer that was sent with it: the recipient is sealed for that one. */
  sent_with: string;
  state: TransferState;
  sent_at: string;
  accept_by: string;
  /** When it was accepted, declined or expired, as was reported. */
  answered_at: string | null;
  /** Oldest first. */
  proofs: readonly Readonly<{ proof: TransferProof; sealed_name: string; at: string }>[];
}>;

/** `digest`: null for the barcode of a file. `at`: since when the seat has it. */
export type SeatBarcode = Readonly<{
  seat: string;
  digest: string | null;
  state: 'given' | 'refused';
  at: string;
  refused_at: string | null;
  /** The last report of an earlier barcode. */
  earlier_refused_at: string | null;
}>;

/** How far the delivery of the order's present tickets is. */
export type DeliveryState = Readonly<{
  /** Oldest first. No seat has two that are sent or accepted. */
  transfers: readonly Transfer[];
  /** Those of tickets that the order no longer has. */
  earlierTransfers: readonly Transfer[];
  barcodes: readonly SeatBarcode[];
  /** By the id of the file. A file without an entry is for all seats, one with null for none. */
  seatOfFile: Readonly<Record<string, string | null>>;
  /** A status said that the tickets were sent, although no record here shows it. */
  declared: boolean;
  /** `failed`: the carrier gave up, so the tracking number no longer counts. */
  parcel: Readonly<{ label: 'none' | 'printed' | 'picked_up'; labelId: string | null; failed: boolean }>;
}>;

export const NO_PARCEL: DeliveryState['parcel'] = { label: 'none', labelId: null, failed: false };

export const NO_DELIVERY: DeliveryState = {
  transfers: [],
  earlierTransfers: [],
  barcodes: [],
  seatOfFile: {},
  declared: false,
  parcel: NO_PARCEL,
};

/** The delivery of other tickets, which begins anew. */
export function deliveryAnew({ transfers, earlierTransfers }: DeliveryState): DeliveryState {
  return { ...NO_DELIVERY, earlierTransfers: [...earlierTransfers, ...transfers] };
}
