import type { Noted } from './noted.js';

/** A transfer to the buyer's account at a provider of tickets. Its seat is one of the order's. */
type SentTransfer = Readonly<{ id: string; seat: string }>;

/** What is personal of a transfer. The log has it sealed only. */
export type TransferRecipient = Readonly<{
  /** Where the buyer takes the tickets over. */
  claim_url: string | null;
  holder: Readonly<{ first_name: string; last_name: string; email: string }> | null;
}>;

export type SentTransfers = Readonly<{
  transfers: readonly SentTransfer[];
  /** The id of a transfer source, e.g. `ticketmaster`. */
  source: string;
  confirmation_number: string | null;
  /** ISO 8601: without an answer until then they are expired, once all seats were sent. */
  accept_by: string;
  /** Only before it is sealed. */
  recipient?: TransferRecipient;
  /** A `TransferRecipient` as JSON, encrypted with the order's own key, base64. Missing if there is none. */
  sealed_recipient?: string;
}>;

export const PROOF_TYPES = ['application/pdf', 'image/png', 'image/jpeg'] as const;

/** A file that proves a transfer. `size` is in bytes, `sha256` in hex. */
export type TransferProof = Readonly<{ id: string; type: (typeof PROOF_TYPES)[number]; size: number; sha256: string }>;

/** `transfers`: their ids. `at`: when it happened as was reported, ISO 8601. */
type AnsweredTransfers = Readonly<{ transfers: readonly string[]; at: string }>;

/** `digest`: of the barcode, keyed, in hex. The log never has the barcode. */
export type SeatDigest = Readonly<{ seat: string; digest: string }>;

export type DeliveryEvent =
  | { type: 'TransferSent'; data: SentTransfers }
  | { type: 'TransferAccepted'; data: AnsweredTransfers }
  | { type: 'TransferDeclined'; data: AnsweredTransfers }
  | { type: 'TransferExpired'; data: AnsweredTransfers }
  /** `sealed_name`: the name of the file, encrypted with the order's own key, base64. */
  | { type: 'TransferProofAdded'; data: Readonly<{ transfer_id: string; proof: TransferProof; sealed_name: string }> }
  | { type: 'BarcodesGiven'; data: Readonly<{ barcodes: readonly SeatDigest[] }> }
  /** `at`: when it was refused, ISO 8601. `earlier`: before the present barcode was given, so it changes nothing. */
  | { type: 'BarcodeRefused'; data: Readonly<{ seat: string; at: string; earlier?: true }> }
  | { type: 'BarcodeReplaced'; data: Noted & SeatDigest }
  | { type: 'LabelPrinted'; data: Readonly<{ label_id: string }> }
  | { type: 'ParcelPickedUp'; data: Readonly<{ at: string }> };

export const DELIVERY_EVENTS: {
  readonly [T in DeliveryEvent['type']]: Readonly<{ status: null; meaning: string }>;
} = {
  TransferSent: {
    status: null,
    meaning:
      'Tickets were sent to the buyer’s account at `source`, one transfer for each seat. `sealed_recipient` is the claim address and the ' +
      'holder, encrypted with the order’s key. With the last seat `TicketsDelivered` follows.',
  },
  TransferAccepted: {
    status: null,
    meaning: 'The buyer accepted transfers. The status stays the same, so there is no ping.',
  },
  TransferDeclined: { status: null, meaning: 'The buyer declined transfers. The seats have to be sent again.' },
  TransferExpired: {
    status: null,
    meaning:
      'Nobody accepted transfers in time, or the source says that they expired. The seats have to be sent again.',
  },
  TransferProofAdded: {
    status: null,
    meaning:
      'A file that proves a transfer was stored. `sha256` proves later what it contained. A later one stands beside it.',
  },
  BarcodesGiven: {
    status: null,
    meaning:
      'Seats got barcodes, of which the log has keyed digests only. With the last seat `TicketsDelivered` follows.',
  },
  BarcodeRefused: {
    status: null,
    meaning:
      'The barcode of a seat was refused at the door. `earlier` means that this was before the present barcode was given: it changes nothing.',
  },
  BarcodeReplaced: { status: null, meaning: 'A seat got another barcode. The note is the reason.' },
  LabelPrinted: { status: null, meaning: 'The label of the parcel was made. The carrier picks the parcel up next.' },
  ParcelPickedUp: {
    status: null,
    meaning: 'The carrier picked the parcel up. The status stays the same, so there is no ping.',
  },
};
