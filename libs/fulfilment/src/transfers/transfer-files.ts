import { Injectable } from '@nestjs/common';
import { Sealer } from '#base/sealing';
import { domainError } from '#domain/domain-error';
import type { Metadata } from '#event-store/event';
import type { TransferRecord } from '#orders/delivery-records';
import { shownTransfer } from '#orders/delivery-view';
import { TicketDownloads } from '../ticket-downloads.js';
import type { AddedProof } from '../transfer.contract.js';
import type { SentFile } from '../tickets/send-ticket.js';
import { TicketFiles } from '../tickets/ticket-files.js';
import type { UploadedFile } from '../tickets/upload-reader.js';
import { TransferProofs } from './transfer-proofs.js';
import { Transfers } from './transfers.js';

/** The proofs of an order's transfers, for those who store and open them. */
@Injectable()
export class TransferFiles {
  constructor(
    private readonly transfers: Transfers,
    private readonly proofs: TransferProofs,
    private readonly files: TicketFiles,
    private readonly downloads: TicketDownloads,
    private readonly sealer: Sealer,
  ) {}

  /** @throws DomainError if the order has no such transfer */
  async transferOf(orderId: string, transferId: string): Promise<TransferRecord> {
    const transfer = (await this.transfers.list(orderId))?.find(({ id }) => id === transferId);
    if (!transfer) throw domainError('TRANSFER_UNKNOWN', 'The order has no such transfer.');
    return transfer;
  }

  /** The proof with these bytes, old or new. @throws DomainError */
  async add(
    orderId: string,
    transferId: string,
    upload: UploadedFile,
    metadata: Metadata,
  ): Promise<AddedProof & Readonly<{ isNew: boolean }>> {
    const isNew = await this.proofs.add(orderId, transferId, upload, metadata);
    const transfer = await this.transferOf(orderId, transferId);
    const proofs = transfer.proofs.filter((one) => one.proof.sha256 === upload.file.sha256);
    const key = (await this.files.orderKey(orderId))?.key ?? null;
    const { proof } = shownTransfer(this.sealer, { id: orderId, key }, { ...transfer, proofs }, false);
    if (!proof) throw domainError('TRANSFER_UNKNOWN', 'The transfer has no proof, or it was erased.');
    return { proof, isNew };
  }

  /** The content, once it is recorded who reads it. @throws DomainError */
  async open(orderId: string, transferId: string, metadata: Metadata): Promise<SentFile> {
    const transfer = await this.transferOf(orderId, transferId);
    const { id, ...file } = await this.proofs.open(orderId, transfer);
    try {
      await this.downloads.record({ orderId, ticketId: id, link: null }, metadata);
    } catch (error) {
      file.content.destroy();
      throw error;
    }
    return file;
  }
}
