import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#base/clock';
import { DatabaseClock } from '#database/database-clock';
import type { TicketFileType } from '#domain/order-events';
import { TicketCopies, type TicketCopy } from '#fulfilment/ticket-copies';
import type { Dispute } from '../dispute.contract.js';
import { evidenceDocument } from './evidence-document.js';
import { KeptPacks, type MadePack, type PackKind } from './kept-packs.js';
import { EVIDENCE_PDF, filesInPack, packArchive, type PackFile } from './pack-archive.js';
import { type PackFacts, PackFactsReader } from './pack-facts.js';

// More than any bank takes. The archive is held in memory.
const MOST_FILE_BYTES = 32 * 1024 * 1024;
// An erasure, or another colleague who renews it, may come between the making and the reading.
const MOST_TRIES = 5;

export type Pack = Readonly<{ asOf: string; content: Buffer }>;

/** The evidence against a dispute as an archive: made once, and the same bytes from then on. */
@Injectable()
export class DisputePacks {
  constructor(
    private readonly kept: KeptPacks,
    private readonly facts: PackFactsReader,
    private readonly tickets: TicketCopies,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /** Makes it if there is none, or if an erasure has made it unreadable. */
  async of(dispute: Dispute, kind: PackKind): Promise<Pack> {
    for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
      const found = await this.kept.find(dispute, kind);
      if (found?.content) return { asOf: found.asOf, content: found.content };
      await this.kept.keep(dispute, await this.made(dispute), found?.asOf);
    }
    throw new Error(`The pack of ${dispute.id} was gone again each time.`);
  }

  /** Shows what has happened until now. */
  async renew(dispute: Dispute): Promise<void> {
    const found = await this.kept.find(dispute, 'masked');
    await this.kept.keep(dispute, await this.made(dispute), found?.asOf);
  }

  /** In clear. The document comes first. */
  async filesOf(dispute: Dispute): Promise<PackFile[]> {
    return await filesInPack((await this.of(dispute, 'clear')).content);
  }

  private async made(dispute: Dispute): Promise<MadePack> {
    const asOf = this.clock.iso();
    const [facts, copies] = await Promise.all([
      this.facts.of(dispute),
      this.tickets.ofOrder(dispute.order_id, MOST_FILE_BYTES),
    ]);
    const archive = (kind: PackKind) => archiveOf(facts, copies, { asOf, isMasked: kind === 'masked' });
    return { asOf, masked: await archive('masked'), clear: await archive('clear') };
  }
}

const ENDINGS: Readonly<Record<TicketFileType, string>> = {
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'application/vnd.apple.pkpass': 'pkpass',
};

/** Nothing in a ticket can be masked, and who has one can enter: a masked archive only says which there are. */
async function archiveOf(
  facts: PackFacts,
  copies: readonly TicketCopy[],
  { asOf, isMasked }: Readonly<{ asOf: string; isMasked: boolean }>,
): Promise<Buffer> {
  const { id, order_id } = facts.dispute;
  const tickets = copies.map(({ ticket: { type, sha256, label }, content }, index) => ({
    name: `tickets/${index + 1}.${ENDINGS[type]}`,
    called: label?.name ?? null,
    sha256,
    content: isMasked ? null : content,
  }));
  const files = tickets.map(({ content, ...ticket }) => ({ ...ticket, isAttached: content !== null }));
  const attached = tickets.flatMap(({ name, content }) => (content === null ? [] : [{ name, content }]));
  const document = evidenceDocument(facts, { asOf, isMasked, files });
  return await packArchive([{ name: EVIDENCE_PDF, content: document }, ...attached], {
    as_of: asOf,
    dispute_id: id,
    order_id,
    masked: isMasked,
    left_out: files.flatMap(({ name, sha256, isAttached }) => (isAttached ? [] : [{ name, sha256 }])),
  });
}
