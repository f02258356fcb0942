import { decide, type OrderCommand } from './order.js';
import { type ChangeEffect, effectsOf } from './order-effects.js';
import type { Fulfillment, ProposedTickets } from './order-events.js';
import { deliveryTypeOf, isOpenTransfer, lastTransferOf } from './handover.js';
import { seatsOf } from './seats.js';
import { evolve, type KnownOrder, type Order } from './order-state.js';
import type { CatalogueEntry, StatusCatalogue } from './status-catalogue.js';

/**
 * A change that the rules allow now. `moves`: the order gets another of the four statuses. `corrects`: only the fulfillment changes.
 */
export type OrderAction = Readonly<{
  action:
    | 'approve'
    | 'accept'
    | 'deny'
    | 'accept_replacement'
    | 'reject_replacement'
    | 'change_status'
    | 'ship'
    | 'deliver'
    | 'offer_replacement'
    | 'transfer'
    | 'record_acceptance'
    | 'enter_barcodes'
    | 'record_pickup';
  entry: CatalogueEntry;
  moves: boolean;
  corrects: boolean;
  effects: readonly ChangeEffect[];
}>;

// The rules do not look at these values, except for whether they are new.
const ANY_SHIPMENT: Fulfillment = { type: 'ship', data: { carrier: '', tracking_number: '' } };
const ANY_TICKETS: ProposedTickets = {
  event_id: '',
  listing_id: '',
  listing_version: 1,
  quantity: 1,
  terms: null,
  expires_at: '',
};
const ANY_TRANSFER = { type: 'SendTransfers', source: '', confirmationNumber: null, acceptBy: '' } as const;
const ANY_DOWNLOAD: Fulfillment = { type: 'download', data: { url: '' } };
const anyBarcode = (seat: string) => ({ seat, digest: '' });

/**
 * Tries every change that staff can make on a copy of the order, and returns those that would change something.
 * @param at the time now, ISO 8601
 */
export function possibleActions(order: KnownOrder, catalogue: StatusCatalogue, at: string): OrderAction[] {
  const shipped = catalogue.role('shipped');
  const delivered = catalogue.role('delivered_electronically');
  const ofCatalogue = catalogue.entries.flatMap((entry): OrderAction[] => {
    const { status_code: statusCode } = entry.status;
    if (statusCode === shipped.status.status_code) return fulfilled('ship', ANY_SHIPMENT);
    if (statusCode === delivered.status.status_code) return fulfilled('deliver', ANY_DOWNLOAD);
    return tried('change_status', { type: 'ChangeStatus', statusCode });
  });
  return [
    ...tried('approve', { type: 'ApproveReview' }),
    ...tried('accept', { type: 'Accept', at }),
    ...tried('deny', { type: 'Deny', reason: 'denied', at }),
    ...(order.replacement?.state === 'open' ? answersOfBuyer() : []),
    ...ofCatalogue,
    ...deliveryActions(),
    ...tried('offer_replacement', { type: 'ProposeReplacement', tickets: ANY_TICKETS }),
  ];

  function deliveryActions(): OrderAction[] {
    const seats = seatsOf(order);
    const open = order.delivery.transfers.find(({ state }) => state === 'sent');
    const { barcodes } = order.delivery;
    const refused = barcodes.find(({ state }) => state === 'refused');
    const without = seats.filter((seat) => !barcodes.some((one) => one.seat === seat && one.digest !== null));
    return [
      ...tried('transfer', { ...ANY_TRANSFER, ids: seats, seats: seats.filter((seat) => !isOpen(seat)) }),
      ...(open
        ? tried('record_acceptance', { type: 'AnswerTransfer', transferId: open.id, state: 'accepted', at })
        : []),
      ...(order.purchase.delivery_form === 'barcodes' || refused
        ? tried(
            'enter_barcodes',
            refused
              ? { type: 'ReplaceBarcode', barcode: anyBarcode(refused.seat), note: '' }
              : { type: 'GiveBarcodes', barcodes: without.map(anyBarcode) },
          )
        : []),
      ...tried(
        'record_pickup',
        deliveryTypeOf(order) === 'ship'
          ? { type: 'ReportDelivery', report: 'parcel_picked_up', at }
          : { type: 'ReportDelivery', report: 'picked_up' },
      ),
    ];
  }

  function isOpen(seat: string): boolean {
    return isOpenTransfer(lastTransferOf(order, seat));
  }

  function answersOfBuyer(): OrderAction[] {
    return [
      ...tried('accept_replacement', { type: 'AcceptReplacement', at }),
      ...tried('reject_replacement', { type: 'RejectReplacement', at }),
    ];
  }

  function fulfilled(action: 'ship' | 'deliver', fulfillment: Fulfillment): OrderAction[] {
    return tried(action, { type: 'Fulfil', fulfillment }, action === 'ship' ? shipped : delivered);
  }

  function tried(action: OrderAction['action'], command: OrderCommand, known?: CatalogueEntry): OrderAction[] {
    const events = decide(command, order, catalogue);
    if (!Array.isArray(events) || events.length === 0) return [];
    const after = events.reduce<Order>((state, event) => evolve(state, { ...event, recorded_at: at }), order);
    if (!after.known) return [];
    const entry = known ?? (after.status && catalogue.entry(after.status.status_code));
    if (!entry) return [];
    const moves = after.status?.status !== order.status?.status;
    const corrects = after.statuses.length === order.statuses.length;
    return [{ action, entry, moves, corrects, effects: effectsOf(order, after) }];
  }
}
