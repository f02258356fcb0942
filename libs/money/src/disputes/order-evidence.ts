import { Injectable } from '@nestjs/common';
import type { DisputeEvidence, EvidenceFile } from '#payments/provider-events';
import type { Dispute } from '../dispute.contract.js';
import { DisputePacks } from './dispute-packs.js';
import { addressLine, type DisputedBuyer } from './disputed-buyers.js';
import { deliveredOn, trackingIn } from './evidence-lines.js';
import type { PackFile } from './pack-archive.js';
import { type PackFacts, PackFactsReader } from './pack-facts.js';
import { compellingEvidence } from './shared-traits.js';

// What Stripe takes of a free text.
const LONGEST_TEXT = 20_000;
// What providers take of all files together, with something to spare: Stripe 4.5 MB, Braintree 4 MB of each.
const MOST_FILE_BYTES = 4 * 1024 * 1024;
const TYPES: Readonly<Record<string, string>> = { pdf: 'application/pdf', png: 'image/png', jpg: 'image/jpeg' };

/** What the bank gets: the pack of the dispute, and what happened to the order as a short text. */
@Injectable()
export class OrderEvidence {
  constructor(
    private readonly facts: PackFactsReader,
    private readonly packs: DisputePacks,
  ) {}

  async of(dispute: Dispute): Promise<DisputeEvidence> {
    const [facts, files] = await Promise.all([this.facts.of(dispute), this.packs.filesOf(dispute)]);
    const { disputed, events, earlier } = facts;
    return {
      text: evidenceText(facts).slice(0, LONGEST_TEXT),
      buyerName: disputed.buyer.name,
      buyerEmail: disputed.buyer.email,
      deliveredOn: deliveredOn(events),
      tracking: trackingIn(events),
      files: sentFiles(files),
      compelling: compellingEvidence(disputed, earlier),
    };
  }
}

function evidenceText({ dispute, disputed, happened }: PackFacts): string {
  const life = happened.map(({ at, says }) => `${at} ${says}`);
  return [`Order ${dispute.order_id}. Times are UTC.`, ...buyerLines(disputed.buyer), ...life].join('\n');
}

function buyerLines({ ip, delivery, billing }: DisputedBuyer): string[] {
  const [deliveredTo, billedTo] = [addressLine(delivery), addressLine(billing)];
  return [
    ...(billedTo === null ? [] : [`Billing address given: ${billedTo}`]),
    ...(deliveredTo === null ? [] : [`Delivery address given: ${deliveredTo}`]),
    ...(ip === null ? [] : [`The purchase was agreed to from the IP address ${ip}`]),
  ];
}

/** The document, and what else fits of the types that banks read. */
function sentFiles(files: readonly PackFile[]): EvidenceFile[] {
  let left = MOST_FILE_BYTES;
  return files.flatMap(({ name, content }) => {
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
    if (type === undefined || content.length > left) return [];
    left -= content.length;
    return [{ name: name.replaceAll('/', '-'), type, content }];
  });
}
