import { createHash } from 'node:crypto';
import type { TicketFileType } from '#domain/order-events';
import type { MadeTicketsRequest } from '../barcode.contract.js';
import type { NewTicket } from './ticket-upload.js';
import type { GivenBarcode } from './barcode-vault.js';

export type MadeKind = MadeTicketsRequest['kind'];

const TYPES: Readonly<Record<MadeKind, TicketFileType>> = {
  pkpass: 'application/vnd.apple.pkpass',
  pdf: 'application/pdf',
};

/** By which tickets that were made here are known. */
export const madeName = (kind: MadeKind, seat: string): string => `Ticket, seat ${seat}.${kind}`;

/** A ticket that was made here, to be stored. */
export function madeFile(kind: MadeKind, { seat, barcode }: GivenBarcode, bytes: Buffer): NewTicket {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const file = { size: bytes.length, sha256, content: () => oneChunk(bytes) };
  return { name: madeName(kind, seat), barcode, seat, type: TYPES[kind], file, isMade: true };
}

async function* oneChunk(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
