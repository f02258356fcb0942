import { type DomainError, domainError } from './domain-error.js';
import type { DecidedEvent } from './order-events.js';
import type { KnownOrder } from './order-state.js';
import { isOpenDispute, movesMoney } from './payment-amounts.js';
import type { DisputeEnd, OpenedDispute } from './payment-events.js';
import { type ChargedFee, feeEvents } from './payments.js';
import type { Dispute } from './payment-state.js';
import { failedUnsent } from './refunds.js';

/** A dispute as the provider tells of it. `reference` is the provider's id. */
export type ProviderDispute = Pick<OpenedDispute, 'inquiry' | 'reason' | 'amount_cents' | 'currency' | 'due_at'> &
  Readonly<{ reference: string; state: 'open' | 'sent' | DisputeEnd; fees: readonly ChargedFee[] }>;

export type DisputeCommand =
  /** `disputeId` is a new one, for the first time that we hear of it. */
  | { type: 'RecordDispute'; disputeId: string; dispute: ProviderDispute }
  /** Without a card network. `dueAt`: ISO 8601. */
  | { type: 'OpenDispute'; disputeId: string; kind: 'denied_entry' | 'cancelled_sale'; dueAt: string; note?: string }
  /** `at`: the time now, ISO 8601. */
  | { type: 'SendEvidence'; disputeId: string; at: string; note?: string }
  | { type: 'AcceptDispute'; disputeId: string; at: string }
  | { type: 'CloseDispute'; disputeId: string; state: DisputeEnd; note?: string };

export function decideDispute(command: DisputeCommand, order: KnownOrder): readonly DecidedEvent[] | DomainError {
  if (command.type === 'RecordDispute') return recordDispute(command.disputeId, command.dispute, order);
  if (command.type === 'OpenDispute') return openDispute(command, order);
  const { disputeId: dispute_id } = command;
  const dispute = order.disputes.find((one) => one.dispute_id === dispute_id);
  if (!dispute) return domainError('DISPUTE_UNKNOWN', 'There is no such dispute.');
  const isOfCard = dispute.kind === 'card';
  if (command.type === 'CloseDispute') {
    if (isOfCard || !isOpenDispute(dispute)) return over('Its bank ends a dispute of a card, and a dispute ends once.');
    return closed(order, dispute, command.state, command.note);
  }
  if (!isOfCard) return over('There is no bank that could get evidence.');
  if (dispute.state !== 'open') return over('The evidence was sent, or the dispute is over.');
  if (dispute.due_at !== null && dispute.due_at < command.at) return over('The bank takes no evidence any more.');
  if (command.type === 'AcceptDispute') return closed(order, dispute, 'lost');
  return [{ type: 'DisputeEvidenceSent', data: withNote({ dispute_id }, command.note) }];
}

/** Events of the provider may come in any order, and twice. */
function recordDispute(newId: string, told: ProviderDispute, order: KnownOrder): readonly DecidedEvent[] {
  const { state, fees, reference, ...opened } = told;
  const charged = fees.flatMap((fee) => feeEvents(order, fee));
  const known = order.disputes.find((one) => one.reference === reference);
  const isOver = known !== undefined && !isOpenDispute(known);
  // What the provider said of the inquiry arrives after the dispute that it became.
  const isLate = known?.inquiry === false && told.inquiry;
  if (isOver || isLate) return charged;
  const dispute_id = known?.dispute_id ?? newId;
  const becomesReal = known?.inquiry === true && !told.inquiry;
  const data = { ...opened, dispute_id, reference, kind: 'card' } as const;
  const opening = !known || becomesReal ? [{ type: 'DisputeOpened', data } as const] : [];
  if (state === 'open') return [...opening, ...charged];
  const current = known && !becomesReal ? known : { ...data, state: 'open' as const };
  if (state === 'sent') {
    const sent = current.state === 'open' ? [{ type: 'DisputeEvidenceSent', data: { dispute_id } } as const] : [];
    return [...opening, ...charged, ...sent];
  }
  return [...opening, ...charged, ...closed(order, current, state)];
}

function openDispute(
  { disputeId: dispute_id, kind, dueAt: due_at, note }: Extract<DisputeCommand, { type: 'OpenDispute' }>,
  { status, purchase, disputes }: KnownOrder,
): readonly DecidedEvent[] | DomainError {
  if (status === null) return domainError('TRANSITION_NOT_ALLOWED', 'The purchase has not become an order.');
  if (disputes.some((one) => one.kind === kind && isOpenDispute(one))) {
    return domainError('CONFLICT', 'A dispute of this kind is open already.');
  }
  const { total_cents: amount_cents, currency = 'USD' } = purchase;
  const data = { dispute_id, reference: null, kind, inquiry: false, reason: kind, amount_cents, currency, due_at };
  return [{ type: 'DisputeOpened', data: withNote(data, note) }];
}

/** Once the bank keeps the money, a refund that has not reached the provider cannot be made any more. */
function closed(
  order: KnownOrder,
  dispute: Pick<Dispute, 'dispute_id' | 'kind' | 'inquiry'>,
  state: DisputeEnd,
  note?: string,
): readonly DecidedEvent[] {
  const { dispute_id } = dispute;
  const end = { type: 'DisputeClosed', data: withNote({ dispute_id, state }, note) } as const;
  if (state !== 'lost' || !movesMoney(dispute)) return [end];
  return [end, ...failedUnsent(order, 'The dispute of the payment was lost.')];
}

const over = (message: string) => domainError('DISPUTE_OVER', message);

function withNote<T extends object>(data: T, note: string | undefined): T & { note?: string } {
  return note === undefined ? data : { ...data, note };
}
