import type { Transfer } from '#orders/delivery.contract';
import type { OrderDetail } from '#orders/order.contract';
import { CONFIRMED } from './order.js';

type Seat = NonNullable<OrderDetail['delivery']['seats']>[number];

/** A seat that waits for the buyer's answer. */
export const sentSeat = (seat: string, state: Transfer['state'] = 'sent'): Seat => ({
  seat,
  barcode: 'none',
  file: null,
  transfer: {
    id: `tra_${seat}`,
    seat,
    source: 'axs',
    confirmation_number: 'AX-1',
    claim_url: null,
    holder: null,
    state,
    sent_at: '2026-11-22T11:00:00.000Z',
    accepted_at: null,
    declined_at: state === 'declined' ? '2026-11-22T12:00:00.000Z' : null,
    expired_at: null,
    sent_by: 'operator:opr_1',
    proof: null,
  },
});

/** A seat for which nothing was done, or which has a barcode. */
export const plainSeat = (seat: string, barcode: Seat['barcode'] = 'none'): Seat => ({
  seat,
  barcode,
  transfer: null,
  file: null,
});

/** An order with these seats. */
export const orderWith = (seats: readonly Seat[], delivery: Partial<OrderDetail['delivery']> = {}): OrderDetail => ({
  ...CONFIRMED,
  delivery: { type: 'transfer', next_action: 'transfer', acts: 'seller', due_at: null, seats: [...seats], ...delivery },
});

export const SOURCES = {
  'GET transfer-sources': {
    sources: [
      { id: 'ticketmaster', name: 'Ticketmaster' },
      { id: 'axs', name: 'AXS' },
    ],
  },
};
