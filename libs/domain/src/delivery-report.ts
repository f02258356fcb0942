import { domainError } from './domain-error.js';
import type { KnownOrder } from './order-state.js';
import type { StatusCatalogue } from './status-catalogue.js';
import { changeStatus } from './status-change.js';
import { withoutBlanks } from './tracking-number.js';

/** What carriers and mail servers report. A confirmation or tickets may go by e-mail, a parcel by a carrier. */
export const DELIVERY_REPORTS = [
  'confirmation_sent',
  'confirmation_bounced',
  'tickets_sent',
  'tickets_bounced',
  'parcel_delivered',
  'parcel_failed',
] as const;

export type DeliveryReport = Readonly<{
  type: 'ReportDelivery';
  report: (typeof DELIVERY_REPORTS)[number];
  /** Of the parcel that the report is about. Undefined if the report names none. */
  trackingNumber?: string;
  /** A mail that was sent again, to a corrected address. */
  again?: boolean;
  note?: string;
}>;

type Move = Readonly<{ to: number; from: readonly number[]; again?: readonly number[] }>;

/**
 * The status that a report gives, and those that it may follow. A report that comes late, twice, or about an order that has gone on
 * moves nothing, so an order never goes backwards. A parcel may fail first and arrive after all.
 */
const MOVES: Readonly<Record<DeliveryReport['report'], Move>> = {
  confirmation_sent: { to: 2001, from: [2000], again: [4002] },
  confirmation_bounced: { to: 4002, from: [2000, 2001] },
  tickets_sent: { to: 2004, from: [2000, 2001, 2005], again: [4003] },
  tickets_bounced: { to: 4003, from: [2004] },
  parcel_delivered: { to: 2003, from: [2002, 4004] },
  parcel_failed: { to: 4004, from: [2002] },
};

/** No event if the report changes nothing. */
export function decideDeliveryReport(command: DeliveryReport, order: KnownOrder, catalogue: StatusCatalogue) {
  const { to, from, again = [] } = MOVES[command.report];
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
