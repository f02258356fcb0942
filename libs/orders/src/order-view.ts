import { Injectable } from '@nestjs/common';
import type { OrderDetail, OrderSummary, RevealedData } from './order.contract.js';
import type { Ping } from '#outbound/ping.contract';
import type { Replacement } from './replacement.contract.js';
import { DELIVERY_TYPES } from '#domain/handover';
import { dollarsOf } from '#domain/money';
import type { Replacement as StoredReplacement } from '#domain/order-state';
import { openedNote, openedTerms } from './event-notes.js';
import type { PersonalData } from './purchase-drafts.js';
import { PingQueries } from '#outbound/ping-queries';
import { pingsAsOf } from '#outbound/pings-as-of';
import { UnsealError, Sealer } from '#base/sealing';
import { masked } from './masking.js';
import type { Caller } from '#accounts/caller';
import { PersonalReads } from '#accounts/personal-reads';
import { OrderHistory, type OrderMoment } from './desk/order-history.js';
import { type DetailedOrder, type FulfillmentCorrection, type ListedOrder, OrderQueries } from './order-queries.js';
import type { OrderChoice } from './choice.contract.js';
import type { OrderDelivery } from './delivery.contract.js';
import { shownSeats } from './delivery-view.js';
import { claimedDownload } from './transfer-recipient.js';
import { openedTicketName } from './ticket-names.js';
import type { AskedFor } from './asked-for.js';
import type { AskedMatch } from './asked-match.contract.js';
import { type PersonMatch, personMatches, textMatches } from './asked-matches.js';
import { contactOf, type OrderContact, peopleOf } from './order-contact.js';
import type { OrderShow } from './order-shows.js';
import { completedProgress } from './payment-progress.js';
import { withoutRemarks } from './staff-remarks.js';

/** Orders as the caller may see them: amounts in dollars, personal data decrypted or masked, pings next to the history. */
@Injectable()
export class OrderView {
  constructor(
    private readonly sealer: Sealer,
    private readonly orders: OrderQueries,
    private readonly pings: PingQueries,
    private readonly history: OrderHistory,
    private readonly reads: PersonalReads,
  ) {}

  /** @param search what was asked for, to say where the order met it; `show` is what it is for */
  listed(order: ListedOrder, caller: Caller, search?: Search, show?: OrderShow): OrderSummary {
    const opened = this.decrypted(order);
    const met = search && opened.data ? personMatches(search.q, search.asked, peopleOf(opened.data)) : [];
    const listed = summary(order, this.shownTo(caller, order, opened, met)) as OrderSummary;
    return withoutRemarks(search ? { ...listed, matched: matched(search, { order, show }, met) } : listed, caller);
  }

  /** The buyer's data in clear. Undefined if there is none, or if it is erased or unreadable. */
  opened(order: ListedOrder): PersonalData | undefined {
    return this.decrypted(order).data;
  }

  /** Undefined if there is no such order. */
  async detail(orderId: string, caller: Caller): Promise<OrderDetail | undefined> {
    const [order, pings] = await Promise.all([this.orders.find(orderId), this.pings.ofOrder(orderId)]);
    return order && withoutRemarks(this.detailed(order, pings, this.shownTo(caller, order)), caller);
  }

  /** The same, as of a version or an instant. Undefined if there was no such order then. */
  async past(orderId: string, moment: OrderMoment, caller: Caller): Promise<OrderDetail | undefined> {
    const [found, pings] = await Promise.all([this.history.find(orderId, moment), this.pings.ofOrder(orderId)]);
    if (!found) return undefined;
    const { order, includes } = found;
    const pingsThen = pingsAsOf(pings, order.purchase.status_history.length, includes);
    return withoutRemarks(this.detailed(order, pingsThen, this.shownTo(caller, order)), caller);
  }

  /** The buyer's data in clear. Undefined if there is no such order, or if its buyer's data is missing or unreadable. */
  async revealed(orderId: string): Promise<RevealedData | undefined> {
    const order = await this.orders.find(orderId);
    const data = order && this.decrypted(order).data;
    if (!data) return undefined;
    return {
      buyer: data.user,
      delivery_method: { type: order.purchase.delivery_method.type, data: { ...data.delivery } },
      payment: order.summary.payment && { billing: data.billing },
    } as RevealedData;
  }

  private detailed(order: DetailedOrder, pings: readonly Ping[], decrypted: OpenedData): OrderDetail {
    const { trusted, replacement, card_data_in_ref_id } = order.summary;
    const payment = paymentOf(order);
    const shown = summary(order, decrypted);
    const inClear = !decrypted.isMasked;
    return {
      ...shown,
      delivery: { ...shown.delivery, seats: this.seatsOf(order, inClear) },
      fulfillment: shown.fulfillment ?? this.claimed(order, inClear),
      status_history: this.historyOf(order),
      buyer: decrypted.data?.user ?? null,
      payment: payment && { ...payment, billing: decrypted.data?.billing ?? null },
      trusted,
      card_data_in_ref_id: card_data_in_ref_id ?? false,
      replacement: replacement ? { ...offered(replacement), terms: this.termsOf(order, replacement) } : null,
      pings,
    } as OrderDetail;
  }

  private seatsOf(order: DetailedOrder, inClear: boolean): OrderDelivery['seats'] {
    const { id, key, purchase, summary, ticket_labels: labels } = order;
    const names = new Map<string, string | null>();
    for (const [ticket, sealed] of Object.entries(labels ?? {})) {
      names.set(ticket, openedTicketName(this.sealer, order, { id: ticket, sealed }));
    }
    const seats = { id, key, quantity: purchase.product.quantity, delivery: summary.delivery };
    return shownSeats(this.sealer, seats, names, inClear);
  }

  /** What the platform reads, as the caller may see it. */
  private claimed(order: DetailedOrder, inClear: boolean): OrderDetail['fulfillment'] {
    const claimed = claimedDownload(this.sealer, order, order.sealed_claims ?? []);
    return inClear || claimed?.type !== 'download' ? claimed : { ...claimed, data: masked(claimed.data) };
  }

  /** Every status with its actor. A corrected fulfillment is an entry with the status that it left as it was. */
  private historyOf({ id, key, purchase, history, corrections }: DetailedOrder) {
    let correction = 0;
    return purchase.status_history.flatMap((entry, index) => {
      const stored = history[index] ?? { position: 0, actor: '', note: null };
      const next = history[index + 1]?.position ?? Infinity;
      // Each field by name: a thousand spreads take as long as reading the events.
      const { status, status_message, status_code, created_at } = entry;
      const note = openedNote(this.sealer, id, key, stored);
      const entries = [{ status, status_message, status_code, created_at, actor: stored.actor, note }];
      // Both are in the order of the log. Looking through all corrections for each status would take a million steps.
      for (let by = corrections[correction]; by && by.position < next; by = corrections[(correction += 1)]) {
        if (by.position > stored.position) entries.push(this.corrected(id, key, entry, by));
      }
      return entries;
    });
  }

  private corrected(
    id: string,
    key: Buffer | null,
    entry: DetailedOrder['purchase']['status_history'][number],
    { recorded_at, fulfillment, ...by }: FulfillmentCorrection,
  ) {
    const created_at = new Date(recorded_at).toISOString();
    return { ...entry, created_at, actor: by.actor, note: openedNote(this.sealer, id, key, by), fulfillment };
  }

  /** Those of earlier releases are stored in clear, but not shown after an erasure. */
  private termsOf(order: DetailedOrder, replacement: StoredReplacement): string | null {
    const isHidden = order.personal_data === 'erased' && replacement.sealed_terms === undefined;
    return isHidden ? null : openedTerms(this.sealer, order, replacement);
  }

  private shownTo(
    caller: Caller,
    order: ListedOrder,
    opened = this.decrypted(order),
    met: readonly PersonMatch[] = [],
  ): OpenedData {
    if (!opened.data) return opened;
    const isMasked = !this.reads.inClear(caller);
    const contact = contactOf(opened.data, met, isMasked);
    if (!isMasked) return { ...opened, contact };
    const { market_specific_fields: marketFields, ...buyer } = opened.data;
    const data = { ...masked(buyer), ...(marketFields && { market_specific_fields: marketFields }) };
    return { ...opened, data, contact, isMasked };
  }

  /** Damaged data of one order must not break the list. */
  private decrypted({ id, personal, key, personal_data }: ListedOrder): OpenedData {
    if (personal_data !== 'kept') return { personal_data };
    if (!personal || !key) return { personal_data: 'unreadable' };
    try {
      return { personal_data, data: this.sealer.openPersonal(id, key, personal) as PersonalData };
    } catch (error) {
      if (error instanceof UnsealError) return { personal_data: 'unreadable' };
      throw error;
    }
  }
}

type OpenedData = Readonly<{
  personal_data: OrderSummary['personal_data'];
  data?: PersonalData;
  contact?: OrderContact | null;
  isMasked?: boolean;
}>;

/** A `q`, and what it was taken for. */
export type Search = Readonly<{ q: string; asked: AskedFor }>;

type Shown = Readonly<{ order: ListedOrder; show: OrderShow | undefined }>;

function matched({ asked }: Search, { order, show }: Shown, met: readonly PersonMatch[]): AskedMatch[] {
  const { ref_id = null, product } = order.purchase;
  const { event_id, listing_id } = product;
  // Buyer, receiver and payer are mostly one person.
  const people = [...new Map(met.map(({ field, part }) => [`${field} ${part}`, { field, part }])).values()];
  const place = { show: show?.title ?? null, seats: show?.seats ?? null };
  return [...textMatches(asked, { ...order, ref_id, event_id, listing_id, ...place }), ...people];
}

function offered({ difference_cents: difference, ...offer }: StoredReplacement): Omit<Replacement, 'terms'> {
  const { event_id, listing_id, quantity, expires_at, state } = offer;
  const price = difference !== undefined && { price_difference: dollarsOf(difference) };
  return { event_id, listing_id, quantity, expires_at, state, ...price };
}

/** In dollars. */
function paymentOf({ summary: { payment }, total_cents: totalCents, has_refund: refunded }: DetailedOrder) {
  if (!payment) return null;
  const { type, brand, last_four, expiry_month, expiry_year } = payment;
  const progress = completedProgress(payment, { totalCents, refunded });
  const { returned_cents: returned, return_due_cents: due, dispute } = progress;
  return {
    type,
    brand,
    last_four,
    expiry_month,
    expiry_year,
    state: progress.state,
    provider: progress.provider,
    reference: progress.reference,
    reason: progress.reason,
    currency: progress.currency,
    authorised: dollarsOf(progress.authorised_cents),
    captured: dollarsOf(progress.captured_cents),
    refunded: dollarsOf(progress.refunded_cents),
    pending_refunds: dollarsOf(progress.pending_refunds_cents),
    refundable: dollarsOf(progress.refundable_cents),
    capture_before: progress.capture_before,
    dispute: dispute && {
      id: dispute.id,
      state: dispute.state,
      amount: dollarsOf(dispute.amount_cents),
      due_at: dispute.due_at,
    },
    ...(returned !== undefined && { returned: dollarsOf(returned) }),
    ...(due !== undefined && { return_due: dollarsOf(due) }),
  };
}

function deliveryOf(order: ListedOrder): OrderDelivery {
  const { delivery_type, purchase, next_action, acts, action_due } = order;
  const type = DELIVERY_TYPES.find((known) => known === (delivery_type ?? purchase.delivery_method.type));
  return {
    type: type ?? 'download',
    next_action: next_action ?? 'done',
    acts: acts ?? 'nobody',
    due_at: action_due?.toISOString() ?? null,
  };
}

function choiceOf({ choice_until: until, choice_answer: answer, choice_is_over: isOver, purchase }: ListedOrder) {
  if (until === null) return null;
  const unanswered = isOver || purchase.status?.status === 'rejected' ? 'lapsed' : 'open';
  const state = answer === null ? unanswered : answer === 'keep' ? 'kept' : 'refunded';
  return { state, until: until.toISOString() } satisfies OrderChoice;
}

/** Each field by name: spreading the purchase here takes a third of the time of a page of orders. */
function summary(order: ListedOrder, { personal_data, data, contact, isMasked = false }: OpenedData) {
  const { id, status, product, delivery_method, fulfillment, market_specific_fields, ref_id } = order.purchase;
  return {
    id,
    status,
    product,
    delivery_method: { type: delivery_method.type, data: data?.delivery ?? {} },
    fulfillment,
    market_specific_fields: data?.market_specific_fields ?? market_specific_fields,
    ref_id,
    personal_data,
    personal_data_masked: isMasked,
    version: order.version,
    client_id: order.client_id,
    variant: order.variant,
    stage: order.stage,
    external_id: order.external_id,
    speculative: order.speculative,
    transaction_id: order.transaction_id,
    section: order.section,
    row: order.row,
    seller: order.seller,
    card_last4: order.card_last4,
    contact: contact ?? null,
    total: dollarsOf(order.total_cents),
    placed_at: order.placed_at.toISOString(),
    updated_at: order.updated_at.toISOString(),
    confirm_by: order.confirm_by?.toISOString() ?? null,
    delivery: deliveryOf(order),
    choice: choiceOf(order),
    assignee: order.assignee,
    assignee_name: order.assignee_name,
    tags: order.tags,
    desk_version: order.desk_version,
  };
}
