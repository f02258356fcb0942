import { DomainError, domainError } from './domain-error.js';
import { deliveryTypeOf, fileOf, lastTransferOf } from './handover.js';
import type { DecidedEvent } from './order-events.js';
import type { KnownOrder } from './order-state.js';
import { seatsOf } from './seats.js';
import type { StatusCatalogue } from './status-catalogue.js';
import { changeStatus } from './status-change.js';
import { withoutBlanks } from './tracking-number.js';
import { answeredTransfers, type TransferAnswer } from './transfers.js';

/** What carriers and mail servers report, and the box office. A confirmation or tickets may go by e-mail, a parcel by a carrier. */
export const DELIVERY_REPORTS = [
  'confirmation_sent',
  'confirmation_bounced',
  'tickets_sent',
  'tickets_bounced',
  'parcel_delivered',
  'parcel_failed',
  'picked_up',
] as const;

/** What sources of transfers and the people at the door report, and the carrier that fetches a parcel. Their time counts. */
export const TIMED_REPORTS = [
  'transfer_accepted',
  'transfer_declined',
  'transfer_expired',
  'barcode_refused',
  'parcel_picked_up',
] as const;

/** A report that gives a status of its own. */
export type StatusReport = (typeof DELIVERY_REPORTS)[number];

export type DeliveryReport =
  | Readonly<{
      type: 'ReportDelivery';
      report: StatusReport;
      /** Of the parcel that the report is about. Undefined if the report names none. */
      trackingNumber?: string;
      /** A mail that was sent again, to a corrected address. */
      again?: boolean;
      note?: string;
    }>
  | TimedReport;

type TimedReport = Readonly<{
  type: 'ReportDelivery';
  report: (typeof TIMED_REPORTS)[number];
  /** When it happened, ISO 8601. */
  at: string;
  /** Undefined: all seats whose transfer is open. */
  seat?: string;
  confirmationNumber?: string;
  note?: string;
}>;

const ANSWER_OF_REPORT = {
  transfer_accepted: 'accepted',
  transfer_declined: 'declined',
  transfer_expired: 'expired',
} as const satisfies Record<string, TransferAnswer>;

type PlainReport = Exclude<DeliveryReport, TimedReport>;
type Move = Readonly<{ to: number; from: readonly number[]; again?: readonly number[] }>;

/**
 * The status that a report gives, and those that it may follow. A report that comes late, twice, or about an order that has gone on
 * moves nothing, so an order never goes backwards. A parcel may fail first and arrive after all.
 */
const MOVES: Readonly<Record<StatusReport, Move>> = {
  confirmation_sent: { to: 2001, from: [2000], again: [4002] },
  confirmation_bounced: { to: 4002, from: [2000, 2001] },
  tickets_sent: { to: 2004, from: [2000, 2001, 2005], again: [4003] },
  tickets_bounced: { to: 4003, from: [2004] },
  parcel_delivered: { to: 2003, from: [2002, 4004] },
  parcel_failed: { to: 4004, from: [2002] },
  picked_up: { to: 2003, from: [2000, 2001, 2005] },
};

const DENIED_ENTRY = 4001;

/** No event if the report changes nothing. */
export function decideDeliveryReport(
  command: DeliveryReport,
  order: KnownOrder,
  catalogue: StatusCatalogue,
): readonly DecidedEvent[] | DomainError {
  switch (command.report) {
    case 'transfer_accepted':
    case 'transfer_declined':
    case 'transfer_expired': {
      const state = ANSWER_OF_REPORT[command.report];
      return answeredTransfers(reportedTransfers(command, order), command, { order, catalogue, state });
    }
    case 'barcode_refused':
      return barcodeRefused(command, order, catalogue);
    case 'parcel_picked_up': {
      const waits = order.delivery.parcel.label === 'printed' && order.status?.status !== 'rejected';
      return waits ? [{ type: 'ParcelPickedUp', data: { at: command.at } }] : [];
    }
    default:
      return moved(command, order, catalogue);
  }
}

function moved(
  command: PlainReport,
  order: KnownOrder,
  catalogue: StatusCatalogue,
): readonly DecidedEvent[] | DomainError {
  const { to, from, again = [] } = MOVES[command.report];
  if (command.report === 'picked_up' && deliveryTypeOf(order) !== 'will_call') return [];
  const entry = catalogue.entry(to);
  if (!entry) return domainError('STATUS_CODE_UNKNOWN', 'The status of this report is not in the status catalogue.');
  const follows = command.again ? [...from, ...again] : from;
  if (order.status === null || !follows.includes(order.status.status_code)) return [];
  if (!isAboutParcelOf(order, command.trackingNumber)) return [];
  return changeStatus(order, entry, catalogue, command);
}

/** The parcel may have been replaced by another. Older orders have their numbers with blanks. */
function isAboutParcelOf({ fulfillment }: KnownOrder, trackingNumber: string | undefined): boolean {
  if (trackingNumber === undefined) return true;
  return (
    fulfillment?.type === 'ship' && withoutBlanks(fulfillment.data.tracking_number) === withoutBlanks(trackingNumber)
  );
}

/** Only what was sent last of a seat, and only while nobody has answered it. */
function reportedTransfers({ seat, confirmationNumber }: TimedReport, order: KnownOrder) {
  return seatsOf(order).flatMap((one) => {
    const last = lastTransferOf(order, one);
    const isMeant =
      (seat === undefined || seat === one) &&
      (confirmationNumber === undefined || confirmationNumber === last?.confirmation_number);
    return isMeant && last?.state === 'sent' ? [last] : [];
  });
}

/** A refusal from before the present barcode changes nothing, but it stands in the timeline. */
function barcodeRefused(
  { seat = '', at, note }: TimedReport,
  order: KnownOrder,
  catalogue: StatusCatalogue,
): readonly DecidedEvent[] | DomainError {
  const isOver = order.status === null || order.status.status === 'pending' || order.status.status === 'rejected';
  if (isOver || !seatsOf(order).includes(seat)) return [];
  const barcode = order.delivery.barcodes.find((one) => one.seat === seat);
  if (barcode?.state === 'refused' || (!barcode && fileOf(order, seat) === null)) return [];
  if (barcode && at < barcode.at) {
    if (barcode.earlier_refused_at === at) return [];
    return [{ type: 'BarcodeRefused', data: { seat, at, earlier: true } }];
  }
  const entry = catalogue.entry(DENIED_ENTRY);
  if (!entry) return domainError('STATUS_CODE_UNKNOWN', 'The status of this report is not in the status catalogue.');
  const changed = changeStatus(order, entry, catalogue, note === undefined ? {} : { note });
  return changed instanceof DomainError ? changed : [{ type: 'BarcodeRefused', data: { seat, at } }, ...changed];
}
