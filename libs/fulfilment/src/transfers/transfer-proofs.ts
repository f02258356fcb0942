import { Injectable } from '@nestjs/common';
import { Ids } from '#base/ids';
import { Sealer } from '#base/sealing';
import { PROOF_TYPES, type TransferProof } from '#domain/delivery-events';
import { DomainError, domainError } from '#domain/domain-error';
import type { Metadata } from '#event-store/event';
import { ProjectionConflict } from '#event-store/event-store';
import { NO_BUYER_DIGESTS } from '#orders/buyer-digests';
import type { TransferRecord } from '#orders/delivery-records';
import { openedProofName, proofNameId } from '#orders/event-notes';
import { OrderChanges } from '#orders/order-changes';
import { ticketFileKey } from '#orders/tickets.projection';
import { ObjectRemovals } from '../tickets/object-removals.js';
import type { SentFile } from '../tickets/send-ticket.js';
import { TicketFiles } from '../tickets/ticket-files.js';
import type { UploadedFile } from '../tickets/upload-reader.js';

// Each further attempt encrypts the file anew.
const MAX_ATTEMPTS = 3;

/** Files that prove transfers. They lie beside the ticket files of the order, encrypted with its key, and no link opens them. */
@Injectable()
export class TransferProofs {
  constructor(
    private readonly files: TicketFiles,
    private readonly removals: ObjectRemovals,
    private readonly orders: OrderChanges,
    private readonly sealer: Sealer,
    private readonly ids: Ids,
  ) {}

  /** Returns whether it was recorded: the same bytes again are not. @throws DomainError */
  async add(orderId: string, transferId: string, upload: UploadedFile, metadata: Metadata): Promise<boolean> {
    const type = PROOF_TYPES.find((known) => known === upload.type);
    if (!type) throw domainError('FILE_REFUSED', 'a proof must be a PDF, PNG or JPEG');
    for (let attempt = 1; ; attempt += 1) {
      const { size, sha256 } = upload.file;
      const proof = { id: this.ids.next('prf'), type, size, sha256 };
      try {
        return await this.store(orderId, { transferId, proof, upload }, metadata);
      } catch (error) {
        if (!isRace(error) || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  /** The content of the last one. @throws DomainError if there is none, or it was erased */
  async open(orderId: string, transfer: TransferRecord): Promise<SentFile & Readonly<{ id: string }>> {
    const last = transfer.proofs.at(-1);
    const order = await this.files.orderKey(orderId);
    const name = order && last ? openedProofName(this.sealer, { id: orderId, key: order.key }, last) : null;
    if (!order?.key || !last || name === null) {
      throw domainError('TRANSFER_UNKNOWN', 'The transfer has no proof, or it was erased.');
    }
    const content = await this.files.read(orderId, last.proof.id, { ...order, key: order.key });
    const { id, type, size, sha256 } = last.proof;
    return { id, ticket: { type, size, sha256, label: { name } }, content };
  }

  /** What the sweep of objects finds unrecorded, it removes. */
  private async store(
    orderId: string,
    { transferId, proof, upload }: Readonly<{ transferId: string; proof: TransferProof; upload: UploadedFile }>,
    metadata: Metadata,
  ): Promise<boolean> {
    const order = await this.files.orderKey(orderId);
    if (!order) throw domainError('ORDER_UNKNOWN', 'There is no such order.');
    const key = order.key ?? this.sealer.newNamedOrderKey();
    await this.removals.announce([ticketFileKey(orderId, proof.id)]);
    await this.files.store(orderId, proof.id, key, order, upload.file);
    const name = this.sealer.sealNote(orderId, proofNameId(proof.id), key, upload.name, order.personal);
    const command = {
      type: 'AddTransferProof',
      transferId,
      proof,
      sealedName: name.toString('base64'),
      expectedVersion: order.version,
    } as const;
    const attachments = order.key === null ? { personalDataKey: { key, digests: NO_BUYER_DIGESTS } } : {};
    return (await this.orders.apply(orderId, command, metadata, attachments)).recorded;
  }
}

function isRace(error: unknown): boolean {
  if (error instanceof ProjectionConflict) return true;
  return error instanceof DomainError && error.code === 'VERSION_STALE';
}
