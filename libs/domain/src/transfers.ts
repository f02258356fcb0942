import { DomainError, domainError } from './domain-error.js';
import type { TransferProof, TransferRecipient } from './delivery-events.js';
import type { Transfer } from './delivery-state.js';
import { isOpenTransfer, lastTransferOf } from './handover.js';
import type { DecidedEvent } from './order-events.js';
import type { KnownOrder } from './order-state.js';
import { seatsOf, wrongSeat } from './seats.js';
import type { StatusCatalogue } from './status-catalogue.js';
import { changeStatus, isStale, staleVersion } from './status-change.js';

/** What can become of a transfer. */
export const TRANSFER_ANSWERS = ['accepted', 'declined', 'expired'] as const;
export type TransferAnswer = (typeof TRANSFER_ANSWERS)[number];

export type TransferCommand =
  | Readonly<{
      type: 'SendTransfers';
      /** Undefined: all. */
      seats?: readonly string[] | undefined;
      /** At least one for each seat. */
      ids: readonly string[];
      source: string;
      confirmationNumber: string | null;
      /** ISO 8601. */
      acceptBy: string;
      recipient?: TransferRecipient | undefined;
    }>
  /** `at`: ISO 8601. */
  | Readonly<{ type: 'AnswerTransfer'; transferId: string; state: TransferAnswer; at: string }>
  | Readonly<{ type: 'ExpireTransfers'; expectedVersion: number; at: string }>
  | Readonly<{
      type: 'AddTransferProof';
      transferId: string;
      proof: TransferProof;
      sealedName: string;
      expectedVersion: number;
    }>;

const EVENT_OF = {
  accepted: 'TransferAccepted',
  declined: 'TransferDeclined',
  expired: 'TransferExpired',
} as const satisfies Record<TransferAnswer, string>;

/** The status of an order whose tickets the buyer did not get. */
const NOT_RECEIVED = 4003;

/** Tickets go to the buyer's account seat by seat. The buyer answers, and what was declined or expired is sent again. */
export function decideTransfer(
  command: TransferCommand,
  order: KnownOrder,
  catalogue: StatusCatalogue,
): readonly DecidedEvent[] | DomainError {
  switch (command.type) {
    case 'SendTransfers':
      return send(command, order);
    case 'AnswerTransfer':
      return answer(command, order, catalogue);
    case 'ExpireTransfers': {
      const waits = order.deadline?.for === 'transfer' && order.version === command.expectedVersion;
      return waits ? answeredTransfers(openTransfers(order), command, { order, catalogue, state: 'expired' }) : [];
    }
    case 'AddTransferProof':
      return addProof(command, order);
  }
}

function send(
  { seats, ids, source, confirmationNumber, acceptBy, recipient }: Extract<TransferCommand, { type: 'SendTransfers' }>,
  order: KnownOrder,
): readonly DecidedEvent[] | DomainError {
  const { status, purchase } = order;
  if (status === null || status.status === 'pending' || status.status === 'rejected') {
    return domainError('TRANSITION_NOT_ALLOWED', 'Only an order that is confirmed has its tickets transferred.');
  }
  if (purchase.delivery_method === 'ship' || purchase.delivery_method === 'will_call') {
    return domainError('TRANSITION_NOT_ALLOWED', 'The tickets of this order are not delivered electronically.');
  }
  const asked = seats ?? seatsOf(order);
  const wrong = wrongSeat(order, asked, (index) => `seats[${index}]`);
  if (wrong) return wrong;
  const last = asked.map((seat) => lastTransferOf(order, seat));
  if (last.some((one) => isOpenTransfer(one) && one?.confirmation_number !== confirmationNumber)) {
    return domainError('CONFLICT', 'A seat was sent with another confirmation number, and not declined since.');
  }
  const transfers = asked
    .filter((_, index) => !isOpenTransfer(last[index]))
    .map((seat, index) => ({ id: ids[index] ?? '', seat }));
  if (transfers.length === 0) return [];
  const data = { transfers, source, confirmation_number: confirmationNumber, accept_by: acceptBy };
  return [{ type: 'TransferSent', data: recipient ? { ...data, recipient } : data }];
}

function answer(
  { transferId, state, at }: Extract<TransferCommand, { type: 'AnswerTransfer' }>,
  order: KnownOrder,
  catalogue: StatusCatalogue,
): readonly DecidedEvent[] | DomainError {
  const transfer = transferOf(order, transferId);
  if (!transfer) return domainError('TRANSFER_UNKNOWN', 'The order has no such transfer.');
  if (transfer.state === state) return [];
  if (transfer.state !== 'sent') {
    return domainError('TRANSITION_NOT_ALLOWED', `The transfer is ${transfer.state}, which is final.`);
  }
  if (!order.delivery.transfers.includes(transfer)) {
    return domainError('TRANSITION_NOT_ALLOWED', 'The order has other tickets by now.');
  }
  return answeredTransfers([transfer], { at }, { order, catalogue, state });
}

/** The events of an answer to transfers that are still open. None without transfers. */
export function answeredTransfers(
  transfers: readonly Transfer[],
  { at }: Readonly<{ at: string }>,
  { order, catalogue, state }: Readonly<{ order: KnownOrder; catalogue: StatusCatalogue; state: TransferAnswer }>,
): readonly DecidedEvent[] | DomainError {
  if (transfers.length === 0) return [];
  const data = { transfers: transfers.map(({ id }) => id), at };
  const answered = { type: EVENT_OF[state], data } as const;
  if (state === 'accepted' || order.status?.status === 'rejected') return [answered];
  const entry = catalogue.entry(NOT_RECEIVED);
  if (!entry)
    return domainError('STATUS_CODE_UNKNOWN', 'The status of a transfer that failed is not in the catalogue.');
  const changed = changeStatus(order, entry, catalogue, {});
  return changed instanceof DomainError ? changed : [answered, ...changed];
}

function openTransfers(order: KnownOrder): readonly Transfer[] {
  return order.delivery.transfers.filter(({ state }) => state === 'sent');
}

function transferOf({ delivery }: KnownOrder, id: string): Transfer | undefined {
  return [...delivery.earlierTransfers, ...delivery.transfers].find((one) => one.id === id);
}

function addProof(
  { transferId, proof, sealedName, ...command }: Extract<TransferCommand, { type: 'AddTransferProof' }>,
  order: KnownOrder,
): readonly DecidedEvent[] | DomainError {
  if (isStale(order, command)) return staleVersion(order);
  const transfer = transferOf(order, transferId);
  if (!transfer) return domainError('TRANSFER_UNKNOWN', 'The order has no such transfer.');
  if (transfer.proofs.some((one) => one.proof.sha256 === proof.sha256)) return [];
  if (transfer.proofs.length >= MOST_PROOFS) {
    return domainError('CONFLICT', `A transfer has at most ${MOST_PROOFS} proofs.`);
  }
  return [{ type: 'TransferProofAdded', data: { transfer_id: transferId, proof, sealed_name: sealedName } }];
}

/** One or two are usual. */
const MOST_PROOFS = 20;
