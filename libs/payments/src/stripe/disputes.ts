import type Stripe from 'stripe';
import type { CompellingEvidence, DisputeEvidence, EvidenceFile } from '../provider-events.js';
import { ask } from './stripe-fault.js';
import { visaEvidence } from './visa-evidence.js';

/** Stripe takes one file for each of these. The first is the summary. */
const FILE_FIELDS = [
  'uncategorized_file',
  'service_documentation',
  'shipping_documentation',
  'customer_communication',
  'receipt',
] as const;

const FILE_TYPES = ['application/pdf', 'image/jpeg', 'image/png'];
/** Of all texts together. The other ones are short. */
const LONGEST_TEXT = 140_000;

type Evidence = Stripe.DisputeUpdateParams.Evidence;

/** Answers disputes. Evidence may be sent once for good, so it is asked first whether that has happened. */
export class Disputes {
  constructor(private readonly stripe: Stripe) {}

  async sendEvidence(reference: string, evidence: DisputeEvidence, submit: boolean): Promise<void> {
    if (submit && (await this.isSubmitted(reference))) return;
    const compelling = await this.compelling(reference, evidence.compelling);
    const sent = { ...fieldsOf(evidence), ...(await this.upload(evidence.files)), ...compelling };
    const params = { evidence: sent, submit };
    try {
      await ask('sending evidence', () => this.stripe.disputes.update(reference, params));
    } catch (error) {
      // The answer may have been lost. A draft is sent again by whoever asks again.
      if (!submit || !(await this.isSubmitted(reference))) throw error;
    }
  }

  async acceptDispute(reference: string): Promise<void> {
    try {
      await ask('accepting a dispute', () => this.stripe.disputes.close(reference));
    } catch (error) {
      const { status } = await this.retrieve(reference);
      if (status !== 'lost') throw error;
    }
  }

  private async isSubmitted(reference: string): Promise<boolean> {
    const { status, evidence_details } = await this.retrieve(reference);
    return evidence_details.submission_count > 0 || status.endsWith('under_review');
  }

  private retrieve(reference: string): Promise<Stripe.Dispute> {
    return ask('asking for a dispute', () => this.stripe.disputes.retrieve(reference));
  }

  /** Stripe says which disputes it may be sent for: those of Visa for fraud. */
  private async compelling(reference: string, evidence: CompellingEvidence | null): Promise<Evidence> {
    if (!evidence) return {};
    const { enhanced_eligibility_types: types } = await this.retrieve(reference);
    if (!types.includes('visa_compelling_evidence_3')) return {};
    const found = await visaEvidence(this.stripe, evidence);
    return found ? { enhanced_evidence: { visa_compelling_evidence_3: found } } : {};
  }

  private async upload(files: readonly EvidenceFile[]): Promise<Evidence> {
    const ids: Partial<Record<(typeof FILE_FIELDS)[number], string>> = {};
    for (const [at, { name, type, content: data }] of attached(files).entries()) {
      const file = { purpose: 'dispute_evidence', file: { data, name, type } } as const;
      const { id } = await ask('sending a file', () => this.stripe.files.create(file));
      ids[FILE_FIELDS[at]!] = id;
    }
    return ids;
  }
}

/** Stripe takes a few files of a few types. */
const attached = (files: readonly EvidenceFile[]): readonly EvidenceFile[] =>
  files.filter(({ type }) => FILE_TYPES.includes(type)).slice(0, FILE_FIELDS.length);

function fieldsOf({ text, buyerName, buyerEmail, deliveredOn, tracking, files }: DisputeEvidence): Evidence {
  const sent = attached(files);
  const left = files.filter((file) => !sent.includes(file)).map(({ name }) => name);
  const note = left.length === 0 ? '' : `\n\nKept by the seller, not attached: ${left.join(', ')}`;
  return {
    uncategorized_text: text.slice(0, LONGEST_TEXT - note.length) + note,
    ...(buyerName !== null && { customer_name: buyerName }),
    ...(buyerEmail !== null && { customer_email_address: buyerEmail }),
    ...(deliveredOn !== null && { service_date: deliveredOn }),
    ...(tracking && { shipping_carrier: tracking.carrier, shipping_tracking_number: tracking.number }),
  };
}
