import { setImmediate as turn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { domainError } from '#domain/domain-error';
import type { Metadata } from '#event-store/event';
import { KnownBarcodes } from '../tickets/known-barcodes.js';
import { madeFile } from '../tickets/made-file.js';
import type { AttachedTicket } from '../tickets/ticket-labels.js';
import { type NewTicket, TicketUpload } from '../tickets/ticket-upload.js';
import { Tickets } from '../tickets/tickets.js';
import { PassSigner } from './pass-signer.js';
import { type Pass, Passes } from './passes.js';

/** Tickets as passes for Apple Wallet, for sellers who have only their barcodes. */
@Injectable()
export class MadePasses {
  constructor(
    private readonly barcodes: KnownBarcodes,
    private readonly passes: Passes,
    private readonly signer: PassSigner,
    private readonly upload: TicketUpload,
    private readonly tickets: Tickets,
  ) {}

  get canSign(): boolean {
    return this.signer.isSet;
  }

  /** Stores those that have changed. @param seats all if undefined @throws DomainError if one has no barcode, or nobody can sign passes */
  async make(
    orderId: string,
    seats: readonly string[] | undefined,
    metadata: Metadata,
  ): Promise<readonly AttachedTicket[]> {
    if (!this.canSign) throw domainError('TRANSITION_NOT_ALLOWED', 'No certificate for passes is set.');
    const made: (AttachedTicket | Pass)[] = [];
    const uploads: NewTicket[] = [];
    for (const given of await this.barcodes.ofSeats(orderId, seats)) {
      const pass = await this.passes.newest({ orderId, seat: given.seat });
      if (!pass) throw domainError('TRANSITION_NOT_ALLOWED', 'A seat has no barcode yet.');
      const earlier = await this.fileOf(orderId, pass);
      made.push(earlier ?? pass);
      if (earlier) continue;
      uploads.push(madeFile('pkpass', given, await this.signer.sign(pass.content)));
      // Signing takes the processor for a while. Others have their turn between.
      await turn();
    }
    const stored = uploads.length > 0 ? await this.upload.run(orderId, uploads, metadata) : [];
    return await Promise.all(made.map(async (one) => ('serial' in one ? await this.kept(one, stored) : one)));
  }

  /** Undefined if it was never stored as it is now, or was taken back. */
  private async fileOf(orderId: string, { ticketId }: Pass): Promise<AttachedTicket | undefined> {
    const file = ticketId === null ? undefined : await this.tickets.find(ticketId, orderId);
    if (!file?.label || file.withdrawn_at !== null) return undefined;
    const { id, type, size, sha256, label } = file;
    return { id, type, size, sha256, ...label };
  }

  private async kept(pass: Pass, stored: readonly AttachedTicket[]): Promise<AttachedTicket> {
    const ticket = stored.find(({ seat }) => seat === pass.seat);
    if (!ticket) throw new Error('A pass that was made is stored.');
    await this.passes.keep(pass, ticket.id);
    return ticket;
  }
}
