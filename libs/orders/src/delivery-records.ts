import type { Transfer } from '#domain/delivery-state';
import { deliveryTypeOf, fileOf, isOpenTransfer, lastTransferOf } from '#domain/handover';
import type { OrderEvent } from '#domain/order-events';
import type { KnownOrder } from '#domain/order-state';
import { seatsOf } from '#domain/seats';
import type { RecordedEvent } from '#event-store/event';
import type { SealedClaim } from './transfer-recipient.js';

/** `sent_by`: who sent it, as in the metadata of events. */
export type TransferRecord = Transfer & Readonly<{ sent_by: string }>;

/** `file`: the id of a ticket file. */
export type SeatRecord = Readonly<{
  seat: string;
  barcode: 'none' | 'given' | 'refused';
  transfer: TransferRecord | null;
  file: string | null;
}>;

/** How an order is delivered, as far as it differs from the start of every order. */
export type DeliveryRecord = Readonly<{ type: ReturnType<typeof deliveryTypeOf>; seats: readonly SeatRecord[] }>;

type Events = readonly RecordedEvent<OrderEvent>[];

/** Undefined for an order whose seats only have numbers, and nothing yet. */
export function deliveryRecord(order: KnownOrder, events: Events): DeliveryRecord | undefined {
  const { purchase, delivery, ticketFiles } = order;
  const isUntouched = delivery.transfers.length === 0 && delivery.barcodes.length === 0 && ticketFiles.ids.length === 0;
  if (isUntouched && purchase.product.seats === undefined) return undefined;
  return { type: deliveryTypeOf(order), seats: seatRecords(order, events) };
}

/** The start of every order. */
export function untouchedSeats(quantity: number): readonly SeatRecord[] {
  return Array.from({ length: quantity }, (_, index) => untouched(String(index + 1)));
}

const untouched = (seat: string): SeatRecord => ({ seat, barcode: 'none', transfer: null, file: null });

function seatRecords(order: KnownOrder, events: Events): readonly SeatRecord[] {
  return seatsOf(order).map((seat) => {
    const last = lastTransferOf(order, seat);
    const barcode = order.delivery.barcodes.find((one) => one.seat === seat);
    return {
      ...untouched(seat),
      barcode: barcode?.state ?? 'none',
      transfer: last ? transferRecord(last, events) : null,
      file: fileOf(order, seat),
    };
  });
}

/** All transfers of the order, oldest first, those of earlier tickets included. */
export function transferRecords({ delivery }: KnownOrder, events: Events): readonly TransferRecord[] {
  return [...delivery.earlierTransfers, ...delivery.transfers].map((transfer) => transferRecord(transfer, events));
}

function transferRecord(transfer: Transfer, events: Events): TransferRecord {
  const sent = events.find(({ type, data }) => {
    return type === 'TransferSent' && 'transfers' in data && isIn(data.transfers, transfer.id);
  });
  return { ...transfer, sent_by: sent?.metadata.actor ?? '' };
}

function isIn(transfers: readonly unknown[], id: string): boolean {
  return transfers.some((one) => typeof one === 'object' && one !== null && 'id' in one && one.id === id);
}

/** The recipients of an order whose seats are all sent, so that their claim address can be shown. Null if one has none. */
export function sealedClaims(order: KnownOrder): readonly SealedClaim[] | null {
  const { delivery, fulfillment, status } = order;
  if (delivery.transfers.length === 0 || fulfillment !== null || status?.status === 'rejected') return null;
  const last = seatsOf(order).map((seat) => lastTransferOf(order, seat));
  const claims = new Map<string, string>();
  for (const transfer of last) {
    if (!transfer || !isOpenTransfer(transfer) || transfer.sealed_recipient === null) return null;
    claims.set(transfer.sent_with, transfer.sealed_recipient);
  }
  return [...claims].map(([id, sealed]) => ({ id, sealed }));
}
