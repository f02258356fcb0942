import type { SeatDigest, SentTransfers } from './delivery-events.js';
import {
  type DeliveryState,
  NO_PARCEL,
  type SeatBarcode,
  type Transfer,
  type TransferState,
} from './delivery-state.js';
import { type DeliveredOrder, isHandedOver } from './handover.js';
import type { OrderEvent } from './order-events.js';

const PARCEL_FAILED = 4004;

type Recorded<E> = E & Readonly<{ recorded_at: string }>;

/** The delivery after an event. @param order after the event, still with the delivery before it */
export function deliveryAfter(order: DeliveredOrder, event: Recorded<OrderEvent>): DeliveryState {
  const { delivery } = order;
  switch (event.type) {
    case 'TicketsAttached': {
      const seats = event.data.files.flatMap(({ id, seat }) => (seat === undefined ? [] : [[id, seat] as const]));
      const isForAll = seats.length < event.data.files.length;
      const covered: readonly (string | null)[] = seats.map(([, seat]) => seat);
      const barcodes = delivery.barcodes.filter(
        ({ seat, digest }) => digest !== null || !(isForAll || covered.includes(seat)),
      );
      return { ...delivery, barcodes, seatOfFile: { ...delivery.seatOfFile, ...Object.fromEntries(seats) } };
    }
    case 'TicketsShipped':
    case 'TicketsDelivered': {
      const sent = withParcelFound(delivery);
      return { ...sent, declared: !isHandedOver({ ...order, delivery: sent }) };
    }
    case 'OrderConfirmed':
      return withParcelFound(delivery);
    case 'OrderExceptionRaised':
      if (event.data.status.status_code !== PARCEL_FAILED) return delivery;
      return { ...delivery, parcel: { ...NO_PARCEL, failed: true } };
    default:
      return afterOwnEvent(delivery, event);
  }
}

function withParcelFound(delivery: DeliveryState): DeliveryState {
  return delivery.parcel.failed ? { ...delivery, parcel: { ...delivery.parcel, failed: false } } : delivery;
}

function afterOwnEvent(delivery: DeliveryState, event: Recorded<OrderEvent>): DeliveryState {
  const { recorded_at: at } = event;
  switch (event.type) {
    case 'TransferSent':
      return { ...delivery, transfers: [...delivery.transfers, ...sentTransfers(event.data, at)] };
    case 'TransferAccepted':
      return withAnswers(delivery, 'accepted', event.data);
    case 'TransferDeclined':
      return withAnswers(delivery, 'declined', event.data);
    case 'TransferExpired':
      return withAnswers(delivery, 'expired', event.data);
    case 'TransferProofAdded': {
      const { transfer_id: id, proof, sealed_name } = event.data;
      const proven = (one: Transfer) =>
        one.id === id ? { ...one, proofs: [...one.proofs, { proof, sealed_name, at }] } : one;
      return {
        ...delivery,
        transfers: delivery.transfers.map(proven),
        earlierTransfers: delivery.earlierTransfers.map(proven),
      };
    }
    case 'BarcodesGiven':
      return withBarcodes(delivery, event.data.barcodes, at);
    case 'BarcodeReplaced':
      return withBarcodes(delivery, [event.data], at);
    case 'BarcodeRefused': {
      const { seat, at: refusedAt, earlier } = event.data;
      const known = delivery.barcodes.find((one) => one.seat === seat);
      const barcode = known ?? { seat, digest: null, state: 'given', at, refused_at: null, earlier_refused_at: null };
      const refused = earlier
        ? { ...barcode, earlier_refused_at: refusedAt }
        : { ...barcode, state: 'refused' as const, refused_at: refusedAt };
      return withBarcode(delivery, refused);
    }
    case 'LabelPrinted':
      return { ...delivery, parcel: { ...delivery.parcel, label: 'printed', labelId: event.data.label_id } };
    case 'ParcelPickedUp':
      return { ...delivery, parcel: { ...delivery.parcel, label: 'picked_up' } };
    default:
      return delivery;
  }
}

function sentTransfers(sent: SentTransfers, at: string): Transfer[] {
  const [first] = sent.transfers;
  return sent.transfers.map(({ id, seat }) => ({
    id,
    seat,
    source: sent.source,
    confirmation_number: sent.confirmation_number,
    sealed_recipient: sent.sealed_recipient ?? null,
    sent_with: first?.id ?? id,
    state: 'sent',
    sent_at: at,
    accept_by: sent.accept_by,
    answered_at: null,
    proofs: [],
  }));
}

function withAnswers(
  delivery: DeliveryState,
  state: TransferState,
  { transfers: ids, at }: Readonly<{ transfers: readonly string[]; at: string }>,
): DeliveryState {
  const transfers = delivery.transfers.map((one) => (ids.includes(one.id) ? { ...one, state, answered_at: at } : one));
  return { ...delivery, transfers };
}

function withBarcodes(delivery: DeliveryState, given: readonly SeatDigest[], at: string): DeliveryState {
  return given.reduce<DeliveryState>((before, { seat, digest }) => {
    return withBarcode(before, { seat, digest, state: 'given', at, refused_at: null, earlier_refused_at: null });
  }, delivery);
}

function withBarcode(delivery: DeliveryState, barcode: SeatBarcode): DeliveryState {
  return { ...delivery, barcodes: [...delivery.barcodes.filter(({ seat }) => seat !== barcode.seat), barcode] };
}
