import { isStatusEvent } from '#domain/order-events';
import { masked } from '#orders/masking';
import type { SharedTrait } from './compared-order.js';
import { addressLine, type DisputedBuyer } from './disputed-buyers.js';
import { paymentLine } from './evidence-lines.js';
import type { PackFacts } from './pack-facts.js';
import { ReportPages } from '#platform/report-pages';
import { TrueTypeFont } from '#platform/truetype-font';
import { amountOf, productOf } from './shared-traits.js';

/** A ticket's file as the document lists it. `called` is personal: whoever uploaded it named it, often after the buyer. */
type ListedFile = Readonly<{ name: string; called: string | null; sha256: string; isAttached: boolean }>;

type DocumentOptions = Readonly<{
  /** ISO 8601. */
  asOf: string;
  isMasked: boolean;
  files: readonly ListedFile[];
}>;

let font: TrueTypeFont | undefined;

/** The evidence against a dispute as PDF, in order of time. The same facts give the same bytes. */
export function evidenceDocument(facts: PackFacts, options: DocumentOptions): Buffer {
  const { dispute } = facts;
  // On demand, because few processes need it.
  font ??= TrueTypeFont.load();
  const foot = `Order ${dispute.order_id} · dispute ${dispute.id} · as of ${moment(options.asOf)}`;
  const pages = new ReportPages(font, 'Evidence of a sale', foot);
  writeDispute(pages, facts, options);
  writePurchase(pages, facts);
  writeBuyer(pages, facts, options.isMasked);
  writeLife(pages, facts, options.isMasked);
  writeEarlier(pages, facts);
  writeFiles(pages, options);
  writeProof(pages, facts);
  return pages.bytes();
}

function writeDispute(pages: ReportPages, { dispute, disputed }: PackFacts, { asOf, isMasked }: DocumentOptions): void {
  const masking = isMasked ? ' Personal data is shortened to its first characters.' : '';
  pages.paragraph(`What had happened to the order until ${moment(asOf)}. All times are UTC.${masking}`);
  pages.heading('The dispute');
  pages.fact('Dispute', dispute.reference ?? dispute.id);
  const kind = dispute.kind === 'card' ? 'card payment' : words(dispute.kind);
  pages.fact('Kind', `${kind}${dispute.inquiry ? ' (inquiry)' : ''}`);
  pages.fact('Reason given', words(dispute.reason));
  pages.fact('Amount', `${dispute.amount.toFixed(2)} ${dispute.currency}`);
  pages.fact('Opened', moment(dispute.opened_at));
  pages.fact('To be answered by', dispute.due_at && moment(dispute.due_at));
  pages.fact('Payment', paymentLine(disputed.order));
}

function writePurchase(pages: ReportPages, { disputed: { id, order, show } }: PackFacts): void {
  const {
    product,
    parts,
    total_cents: total,
    currency,
    client_id: client,
    ref_id: ref,
    delivery_method,
  } = order.purchase;
  pages.heading('The purchase');
  pages.fact('Order', ref === null ? id : `${id}, ${ref} at the platform`);
  pages.fact('Bought', `${moment(order.receivedAt)} at the platform ${client}`);
  pages.fact('Product', productOf(order, show));
  if (parts) {
    pages.fact('Tickets', `${product.quantity} for ${amountOf(parts.price_cents, currency)}`);
    pages.fact('Fees', amountOf(parts.fees_cents, currency));
    pages.fact('Delivery', amountOf(parts.delivery_cents, currency));
    pages.fact('Tax', amountOf(parts.tax_cents, currency));
  }
  pages.fact('Total', amountOf(total, currency));
  pages.fact('Way of delivery', words(delivery_method));
  // A later change of the listing is not what this buyer saw.
  const isAsShown = show?.listing_version === order.purchase.listing_version;
  const offer = `listing ${product.listing_id}, version ${order.purchase.listing_version}`;
  pages.fact('Terms shown', `${offer}${isAsShown && show.notes ? `: ${show.notes}` : ''}`);
}

function writeBuyer(pages: ReportPages, { disputed }: PackFacts, isMasked: boolean): void {
  const buyer: DisputedBuyer = isMasked ? masked(disputed.buyer) : disputed.buyer;
  pages.heading('The buyer, as given with the purchase');
  if (Object.values(buyer).every((value) => value === null)) {
    pages.paragraph('Nothing is kept of the buyer.');
    return;
  }
  pages.fact('Name', buyer.name);
  pages.fact('E-mail', buyer.email);
  pages.fact('Telephone', buyer.phone);
  pages.fact('Billing address', addressLine(buyer.billing));
  pages.fact('Receiver', buyer.receiver);
  pages.fact('Delivery address', addressLine(buyer.delivery));
  pages.fact('Agreed from the IP address', buyer.ip);
}

function writeLife(pages: ReportPages, { happened }: PackFacts, isMasked: boolean): void {
  pages.heading('What happened');
  for (const { at, says, by, personal } of happened) {
    const text = personal === undefined || isMasked ? says : `${says} ${personal}`;
    pages.row({ text: moment(at), share: 0.24 }, { text, share: 0.58 }, { text: by, share: 0.18 });
  }
}

const TRAITS: Readonly<Record<SharedTrait, string>> = {
  ip: 'IP address',
  address: 'address',
  email: 'e-mail address',
};

function writeEarlier(pages: ReportPages, { earlier }: PackFacts): void {
  if (earlier.length === 0) return;
  pages.heading('Earlier orders of the same buyer, none of them disputed');
  pages.paragraph(
    'Paid 120 to 365 days before the dispute. The last column says what they share with the disputed order.',
  );
  for (const { id, order, show, shares } of earlier) {
    const { total_cents: total, currency } = order.purchase;
    const payment = 'reference' in order.payment ? `, ${order.payment.provider} ${order.payment.reference}` : '';
    pages.row(
      { text: moment(order.receivedAt), share: 0.24 },
      { text: `${productOf(order, show)}. ${amountOf(total, currency)}. ${id}${payment}`, share: 0.58 },
      { text: shares.map((trait) => TRAITS[trait]).join(', '), share: 0.18 },
    );
  }
}

function writeFiles(pages: ReportPages, { files, isMasked }: DocumentOptions): void {
  if (files.length === 0) return;
  pages.heading('The files of the tickets');
  for (const { name, called, sha256, isAttached } of files) {
    const title = called === null || isMasked ? name : `${name} (${called})`;
    pages.fact(isAttached ? 'Attached' : 'Kept by the seller', title);
    pages.smallRow({ text: '', share: 0.24 }, { text: `SHA-256 ${sha256}`, share: 0.76 });
  }
}

function writeProof(pages: ReportPages, { events, proof }: PackFacts): void {
  pages.heading('Proof of the events');
  pages.paragraph(
    'Every event of the order is chained: its hash (HMAC-SHA-256) covers what was recorded and the hash before it, so none can be changed, left out ' +
      'or added later without breaking the chain. The seller verifies it on request.',
  );
  for (const [index, { position, type, recorded_at: at, hash }] of proof.events.entries()) {
    const event = events[index];
    const named = event && isStatusEvent(event) ? `${type} ${event.data.status.status_code}` : type;
    pages.smallRow(
      { text: `${position}  ${named}`, share: 0.21 },
      { text: moment(at), share: 0.15 },
      { text: hash, share: 0.64 },
    );
  }
  if (!proof.head) return;
  const { position, head, at, mac } = proof.head;
  pages.paragraph(
    `They are part of the first ${position} events of all orders, whose chain was signed at ${moment(at)}. Signed chains are also kept outside of the database.`,
  );
  pages.smallRow({ text: 'Chain', share: 0.24 }, { text: head.toString('hex'), share: 0.76 });
  pages.smallRow({ text: 'Signature', share: 0.24 }, { text: mac.toString('hex'), share: 0.76 });
}

/** To the second, for people: `2026-11-26 18:30:00`. */
function moment(iso: string): string {
  return iso.slice(0, 19).replace('T', ' ');
}

const words = (code: string) => code.replaceAll('_', ' ');
