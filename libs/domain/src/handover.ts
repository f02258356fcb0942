import type { DeliveryState, Transfer } from './delivery-state.js';
import type { Fulfillment, ReceivedPurchase } from './order-events.js';
import { seatsOf } from './seats.js';
import type { Status } from './status.js';

/** What the rules of delivery read of an order. */
export type DeliveredOrder = Readonly<{
  purchase: ReceivedPurchase;
  status: Status | null;
  fulfillment: Fulfillment | null;
  ticketFiles: Readonly<{ ids: readonly string[]; handedOut: readonly string[] }>;
  tickets: Readonly<{ held: number; sent: boolean }>;
  delivery: DeliveryState;
  replacement: Readonly<{ state: string }> | null;
  underReview: boolean;
}>;

export const DELIVERY_TYPES = ['ship', 'download', 'transfer', 'will_call'] as const;
type DeliveryType = (typeof DELIVERY_TYPES)[number];

/** How the order is delivered. A download whose tickets were transferred goes on as a transfer. */
export function deliveryTypeOf({ purchase, delivery }: DeliveredOrder): DeliveryType {
  if (delivery.transfers.length > 0) return 'transfer';
  return DELIVERY_TYPES.find((type) => type === purchase.delivery_method) ?? 'download';
}

export function lastTransferOf({ delivery }: DeliveredOrder, seat: string): Transfer | undefined {
  return delivery.transfers.findLast((one) => one.seat === seat);
}

/** Whether the buyer has it, or may still accept it. */
export function isOpenTransfer(transfer: Transfer | undefined): boolean {
  return transfer?.state === 'sent' || transfer?.state === 'accepted';
}

export function hasRefusedSeat({ delivery }: DeliveredOrder): boolean {
  return delivery.barcodes.some(({ state }) => state === 'refused');
}

/** The file of a seat: the last of its own, or else the last for all seats. */
export function fileOf(
  { ticketFiles: { ids }, delivery: { seatOfFile } }: DeliveredOrder,
  seat: string,
): string | null {
  const own = ids.findLast((id) => seatOfFile[id] === seat);
  return own ?? ids.findLast((id) => seatOfFile[id] === undefined) ?? null;
}

/** Whether everything was done to get the tickets to the buyer, as the records of the order show. The buyer of a `will_call` order comes for them. */
export function isHandedOver(order: DeliveredOrder): boolean {
  const { purchase, fulfillment, delivery } = order;
  switch (deliveryTypeOf(order)) {
    case 'ship':
      return fulfillment?.type === 'ship' && !delivery.parcel.failed;
    case 'transfer':
      if (delivery.transfers.length === 0) return fulfillment !== null;
      return seatsOf(order).every((seat) => isOpenTransfer(lastTransferOf(order, seat)));
    case 'will_call':
      return false;
    case 'download':
      if (fulfillment !== null) return true;
      if (purchase.delivery_form === 'links') return false;
      return seatsOf(order).every((seat) => hasBarcode(order, seat) || fileOf(order, seat) !== null);
  }
}

function hasBarcode({ delivery }: DeliveredOrder, seat: string): boolean {
  return delivery.barcodes.some((one) => one.seat === seat && one.digest !== null);
}

/** The seats that are never sold again, because the buyer has their tickets or may still accept them. */
export function keptSeats(order: DeliveredOrder): readonly string[] {
  const { tickets, delivery, ticketFiles, fulfillment } = order;
  const seats = seatsOf(order);
  const isOnlyTransferred =
    delivery.transfers.length > 0 && !delivery.declared && fulfillment === null && ticketFiles.handedOut.length === 0;
  if (tickets.sent && !isOnlyTransferred) return seats;
  return seats.filter((seat) => isOpenTransfer(lastTransferOf(order, seat)));
}
