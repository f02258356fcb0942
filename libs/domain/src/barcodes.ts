import { DomainError, domainError } from './domain-error.js';
import type { SeatDigest } from './delivery-events.js';
import type { SeatBarcode } from './delivery-state.js';
import { isHandedOver } from './handover.js';
import type { DecidedEvent, Fulfillment, TicketFile } from './order-events.js';
import { evolveAll, type KnownOrder } from './order-state.js';
import { wrongSeat } from './seats.js';
import type { StatusCatalogue } from './status-catalogue.js';
import { changeStatus, isStale, staleVersion } from './status-change.js';

export type BarcodeCommand =
  | Readonly<{
      type: 'GiveBarcodes';
      barcodes: readonly SeatDigest[];
      /** The tickets made of them, and where the buyer opens these, once each seat has its barcode. */
      made?: Readonly<{ files: readonly TicketFile[]; fulfillment: Fulfillment }> | undefined;
      expectedVersion?: number;
    }>
  /** `note`: the reason. */
  | Readonly<{ type: 'ReplaceBarcode'; barcode: SeatDigest; note: string; expectedVersion?: number }>;

/** Tickets whose seller has only their numbers. The barcodes themselves are sealed elsewhere. */
export function decideBarcodes(
  command: BarcodeCommand,
  order: KnownOrder,
  catalogue: StatusCatalogue,
): readonly DecidedEvent[] | DomainError {
  const { status, purchase } = order;
  if (isStale(order, command)) return staleVersion(order);
  if (status === null || status.status === 'pending' || status.status === 'rejected') {
    return domainError('TRANSITION_NOT_ALLOWED', 'Only an order that is confirmed gets barcodes.');
  }
  if (purchase.delivery_method === 'ship' || purchase.delivery_method === 'will_call') {
    return domainError('TRANSITION_NOT_ALLOWED', 'The tickets of this order are not delivered electronically.');
  }
  return command.type === 'GiveBarcodes' ? give(command, order, catalogue) : replace(command, order);
}

function give(
  { barcodes, made }: Extract<BarcodeCommand, { type: 'GiveBarcodes' }>,
  order: KnownOrder,
  catalogue: StatusCatalogue,
): readonly DecidedEvent[] | DomainError {
  const seats = barcodes.map(({ seat }) => seat);
  const wrong = wrongSeat(order, seats, (index) => `barcodes[${index}].seat`);
  if (wrong) return wrong;
  const fresh = barcodes.filter(({ seat }) => barcodeOf(order, seat)?.digest == null);
  const isOther = barcodes.some(({ seat, digest }) => (barcodeOf(order, seat)?.digest ?? digest) !== digest);
  if (isOther) return domainError('CONFLICT', 'A seat has another barcode already.');
  if (fresh.length === 0) return [];
  const given = { type: 'BarcodesGiven', data: { barcodes: fresh } } as const;
  if (!made || !isHandedOver(evolved(order, given)) || isHandedOver(order)) return [given];
  const attached = { type: 'TicketsAttached', data: { files: made.files } } as const;
  const entry = catalogue.role('delivered_electronically');
  const changed = changeStatus(order, entry, catalogue, {});
  if (changed instanceof DomainError) return changed;
  const { fulfillment } = made;
  const told: DecidedEvent =
    changed.length > 0
      ? { type: 'TicketsDelivered', data: { status: entry.status, fulfillment } }
      : { type: 'FulfillmentCorrected', data: { fulfillment } };
  return [given, attached, told];
}

function replace(
  { barcode: { seat, digest }, note }: Extract<BarcodeCommand, { type: 'ReplaceBarcode' }>,
  order: KnownOrder,
): readonly DecidedEvent[] | DomainError {
  const wrong = wrongSeat(order, [seat], () => 'seat');
  if (wrong) return wrong;
  const before = barcodeOf(order, seat);
  if (!before) return domainError('TRANSITION_NOT_ALLOWED', 'The seat has no barcode yet.');
  if (before.digest === digest && before.state === 'given') return [];
  return [{ type: 'BarcodeReplaced', data: { seat, digest, note } }];
}

function barcodeOf({ delivery }: KnownOrder, seat: string): SeatBarcode | undefined {
  return delivery.barcodes.find((one) => one.seat === seat);
}

/** The order with the event, whose time does not matter. */
function evolved(order: KnownOrder, event: DecidedEvent): KnownOrder {
  const after = evolveAll(order, [{ ...event, recorded_at: order.updatedAt }]);
  return after.known ? after : order;
}
