import { readFileSync } from 'node:fs';
import { DomainError } from '#domain/domain-error';
import { decide, type OrderCommand } from '#domain/order';
import type { OrderEvent, ReceivedPurchase } from '#domain/order-events';
import { evolve, type KnownOrder, type Order } from '#domain/order-state';
import { statusCatalogue, type StatusCatalogueFile } from '#domain/status-catalogue';
import { PURCHASE } from './received-purchase.js';

const file = new URL('./status-catalogue.json', import.meta.resolve('#domain/order-events'));
const CATALOGUE = statusCatalogue(JSON.parse(readFileSync(file, 'utf8')) as StatusCatalogueFile);

export const NOON = '2026-11-21T12:00:00.000Z';
const LATER = '2026-11-22T12:00:00.000Z';

type Purchase = Extract<OrderCommand, { type: 'ReceivePurchase' }>;

/** A wholesale purchase of two seats from a seller, confirmed at once. */
export function bought(purchase: Partial<ReceivedPurchase> = {}): Purchase {
  const product = { event_id: '1001', listing_id: 'L1', quantity: 2, seats: ['A1', 'A2'] };
  const wholesale = { ...PURCHASE, variant: 'wholesale', payment: null, confirmation: 'automatic', product } as const;
  return {
    type: 'ReceivePurchase',
    purchase: { ...wholesale, seller: 'acme', delivery_method: 'transfer', ...purchase },
  };
}

/** The same from our own stock. */
export function boughtFromUs(purchase: Partial<ReceivedPurchase>): Purchase {
  const { seller: _, ...ours } = bought(purchase).purchase;
  return { type: 'ReceivePurchase', purchase: ours };
}

export const sent = (
  seats?: readonly string[],
  confirmationNumber: string | null = 'T1',
  id = 'tra',
): OrderCommand => ({
  type: 'SendTransfers',
  seats,
  ids: [`${id}_1`, `${id}_2`],
  source: 'ticketmaster',
  confirmationNumber,
  acceptBy: LATER,
});
export const answered = (transferId: string, state: 'accepted' | 'declined' | 'expired'): OrderCommand => {
  return { type: 'AnswerTransfer', transferId, state, at: NOON };
};
export const given = (...seats: readonly string[]): OrderCommand => {
  return { type: 'GiveBarcodes', barcodes: seats.map((seat) => ({ seat, digest: `d-${seat}` })) };
};
export const uploaded = (id: string, seat?: string): OrderCommand => {
  const ticket = { id, type: 'application/pdf', size: 1, sha256: 'ab' } as const;
  return { type: 'AttachTickets', files: [seat === undefined ? ticket : { ...ticket, seat }] };
};
export const status = (statusCode: number): OrderCommand => ({ type: 'ChangeStatus', statusCode });
export const reported = (report: 'parcel_failed' | 'picked_up' | 'tickets_bounced'): OrderCommand => {
  return { type: 'ReportDelivery', report };
};
export const refused = (seat: string, at = NOON): OrderCommand => {
  return { type: 'ReportDelivery', report: 'barcode_refused', seat, at };
};

/** What the command does to the order: its events, or the refusal. */
export function decided(command: OrderCommand, order: Order): readonly OrderEvent[] | DomainError {
  return decide(command, order, CATALOGUE);
}

/** The order after one more command. @throws DomainError */
export function next(order: Order, command: OrderCommand): Order {
  const events = decided(command, order);
  if (events instanceof DomainError) throw events;
  return events.reduce<Order>((before, event) => evolve(before, { ...event, recorded_at: NOON }), order);
}

/** The order after these commands. @throws DomainError if one is refused */
export function orderAfter(...commands: readonly OrderCommand[]): KnownOrder {
  const order = commands.reduce<Order>(next, { known: false });
  if (!order.known) throw new Error('There is no purchase.');
  return order;
}
