import type { DisputeEvidence, DisputeFact, EvidenceFile } from '../provider-events.js';
import { BraintreeFault } from './braintree-errors.js';
import { ACCEPT_DISPUTE, ADD_FILE, ADD_TEXT, DISPUTE_BY_ID, FINALIZE_DISPUTE } from './documents.js';
import type { GraphqlConnection } from './graphql-connection.js';

const FILE_TYPES = ['application/pdf', 'image/jpeg', 'image/png'];
const FILE_MAX_BYTES = 4 * 1024 * 1024;

type TextEvidence = Readonly<{ category: string; content: string }>;
type OpenDispute = Readonly<{
  id: string;
  status: string;
  evidence: readonly Readonly<{ category: string | null; content?: string | null }>[] | null;
}>;

/** Answers disputes. */
export class Disputes {
  constructor(private readonly connection: GraphqlConnection) {}

  /** The text goes last: where it is, the rest is already there. */
  async send(disputeId: string, evidence: DisputeEvidence, submit: boolean): Promise<void> {
    for (const file of evidence.files) assertTaken(file);
    const { status, evidence: sent } = await this.#find(disputeId);
    if (submit && status !== 'OPEN' && isAnswered(status)) return;
    if (status !== 'OPEN') throw new BraintreeFault(`the dispute is not open any more: ${status}`, true);
    const has = (text: TextEvidence) =>
      sent?.some(({ category, content }) => category === text.category && content === text.content) === true;
    const text = { category: 'GENERAL', content: evidence.text };
    if (!has(text)) {
      for (const file of evidence.files) {
        await this.connection.upload(ADD_FILE, { input: { disputeId, category: 'GENERAL' } }, file);
      }
      for (const each of [...factsOf(evidence), text]) {
        if (!has(each)) await this.connection.ask(ADD_TEXT, { input: { disputeId, ...each } });
      }
    }
    if (submit) await this.connection.ask(FINALIZE_DISPUTE, { input: { disputeId } });
  }

  async accept(disputeId: string): Promise<void> {
    const { status } = await this.#find(disputeId);
    if (status === 'ACCEPTED') return;
    await this.connection.ask(ACCEPT_DISPUTE, { input: { disputeId } });
  }

  async #find(id: string): Promise<OpenDispute> {
    const { node } = await this.connection.ask<{ node: OpenDispute | null }>(DISPUTE_BY_ID, { id });
    if (!node) throw new BraintreeFault(`it knows no dispute ${id}`, true);
    return node;
  }
}

const isAnswered = (status: string): boolean => stateOf(status, false) === 'sent';

function assertTaken({ name, type, content }: EvidenceFile): void {
  if (!FILE_TYPES.includes(type) || content.length > FILE_MAX_BYTES) {
    throw new Error(`${name}: Braintree takes PNG, JPEG and PDF files of at most 4 MB as evidence`);
  }
}

function factsOf({ buyerName, buyerEmail, tracking }: DisputeEvidence): TextEvidence[] {
  const facts = {
    PURCHASER_NAME: buyerName,
    PURCHASER_EMAIL_ADDRESS: buyerEmail,
    CARRIER_NAME: tracking?.carrier,
    TRACKING_NUMBER: tracking?.number,
  };
  return Object.entries(facts).flatMap(([category, content]) => (content ? [{ category, content }] : []));
}

/** A dispute as GraphQL and webhooks have it in common. Words may be in capitals or not. */
export type DisputeState = Readonly<{
  reference: string;
  payment: string;
  orderId: string | null;
  type: string;
  status: string;
  reason: string;
  amountCents: number;
  currency: string;
  /** YYYY-MM-DD, the last day. */
  replyBy: string | null;
}>;

export function disputeFact({ type, status, reason, replyBy, ...rest }: DisputeState): DisputeFact {
  const inquiry = type.toUpperCase() === 'RETRIEVAL';
  const dueAt = replyBy === null ? null : `${replyBy}T23:59:59.000Z`;
  const state = stateOf(status.toUpperCase(), inquiry);
  return { is: 'dispute', ...rest, inquiry, state, reason: reason.toLowerCase(), dueAt, fees: [] };
}

function stateOf(status: string, inquiry: boolean): DisputeFact['state'] {
  if (status === 'OPEN') return 'open';
  if (status === 'DISPUTED' || status === 'UNDER_REVIEW') return 'sent';
  if (status === 'WON') return 'won';
  // ACCEPTED, AUTO_ACCEPTED, EXPIRED, LOST. An inquiry has moved no money that could be lost.
  return inquiry ? 'withdrawn' : 'lost';
}
