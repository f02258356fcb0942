import type { Sealer } from '#base/sealing';
import { type Order, orderFold } from '#domain/order-state';
import type { OrderEvent, ReceivedPurchase } from '#domain/order-events';
import { orderStream } from '#domain/order-stream';
import { loadStatusCatalogue } from '#orders/status-catalogue-file';
import { buyerDigests } from '#orders/buyer-digests';
import type { RecordedEvent } from '#event-store/event';
import type { AppendContext } from '#event-store/inline-projection';
import { fold } from '#event-store/stream-definition';
import { SeededRandomness } from '#base/seeded-randomness';

export const CLIENTS = 20;
export const EVENTS = 5_000;
export const LISTINGS = 20_000;
export const LAST_NAMES = 2_000;

const DAYS = 730;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

export type OrderHistory = AppendContext<Order, OrderEvent>;

type Step = readonly [OrderEvent['type'], object, number?];

const catalogue = loadStatusCatalogue();

/** Whole orders, the same in every run with the same number of orders: two years of them, the newest still under way. */
export class OrderHistories {
  readonly #random = new SeededRandomness(20_261_122);

  constructor(
    private readonly count: number,
    private readonly sealer: Sealer,
    private readonly now: number,
  ) {}

  /** @param index orders are placed in this order. */
  history(index: number): OrderHistory {
    const random = this.#random;
    const placedAt = this.now - Math.floor((1 - index / this.count) * DAYS * DAY_MS) - 1_000;
    const id = orderIdOf(placedAt, index);
    const isNew = index >= this.count * 0.99;
    const { received, attachments } = this.purchase(id, index);
    const steps = isNew ? newSteps(random, received) : oldSteps(random, received);
    const stream = orderStream(id);
    const events = recordedEvents(stream, index, placedAt, [['PurchaseReceived', received], ...steps]);
    const after = fold(orderFold, events, orderFold.initial);
    return { stream, past: [], appended: events, before: orderFold.initial, after, attachments };
  }

  private purchase(id: string, index: number) {
    const random = this.#random;
    const isPaid = random.fraction() < 0.7;
    const listing = skewed(random, LISTINGS);
    const person = index % 3 === 0 ? random.integer(this.count) : index;
    const name = { first_name: 'Ada', last_name: lastNameOf(skewed(random, LAST_NAMES)) };
    const user = { email: emailOf(person), phone: phoneOf(person) };
    const delivery = isPaid ? { ...name, address1: '12 Analytical Way', city: 'New York', zip: '10001' } : {};
    const data = { user, delivery, billing: isPaid ? { ...name, zip: '10001' } : null };
    const key = random.bytes(32);
    const received: ReceivedPurchase = {
      client_id: `client-${skewed(random, CLIENTS)}`,
      variant: isPaid ? 'payment' : 'wholesale',
      product: {
        event_id: eventIdOf(listing),
        listing_id: listingIdOf(listing),
        quantity: random.fraction() < 0.98 ? 1 + random.integer(4) : 5 + random.integer(20),
      },
      listing_version: 1,
      total_cents: 2_000 + Math.floor(random.fraction() ** 4 * 1_000_000),
      delivery_method: random.fraction() < 0.3 ? 'ship' : 'download',
      ref_id: random.fraction() < 0.99 ? refIdOf(index) : null,
      duplicate_key: `ref:${refIdOf(index)}`,
      trusted: false,
      hold_for_review: false,
      confirmation: 'manual',
      confirm_within_minutes: 60,
      payment: isPaid
        ? {
            type: 'creditcard',
            brand: 'visa',
            last_four: String(random.integer(10_000)).padStart(4, '0'),
            expiry_month: 12,
            expiry_year: 2039,
          }
        : null,
      market_specific_fields: null,
      personal: this.sealer.sealPersonal(id, key, data).toString('base64'),
    };
    return { received, attachments: { personalDataKey: { key, digests: buyerDigests(this.sealer, data) } } };
  }
}

/** Small numbers come often, as with popular events and common names. */
export function skewed(random: SeededRandomness, limit: number): number {
  return Math.floor(random.fraction() ** 2 * limit);
}

export const listingIdOf = (listing: number) => `listing-${listing}`;
export const eventIdOf = (listing: number) => String(1_000 + (listing % EVENTS));
export const emailOf = (person: number) => `buyer.${person}@example.com`;
export const phoneOf = (person: number) => `+1 212 ${String(person).padStart(7, '0')}`;
export const lastNameOf = (number: number) => `Surname${number}`;
export const refIdOf = (index: number) => `sg-${String(index).padStart(8, '0')}`;
export const trackingOf = (number: number) => `1Z${String(number).padStart(9, '0')}`;

/** A time-ordered id, as the order of that moment would have got it. */
function orderIdOf(placedAt: number, index: number): string {
  const time = placedAt.toString(16).padStart(12, '0');
  const rest = ((index * 2_654_435_761) % 2 ** 40).toString(16).padStart(10, '0');
  return `ord_${time}7000800000${rest}`;
}

const status = (code: number) => {
  const entry = catalogue.entry(code);
  if (!entry) throw new Error(`the catalogue lacks ${code}`);
  return { status: entry.status };
};

const charged = { provider: 'sandbox', reference: 'pay_1', amount_cents: 10_000 };
const paid = ({ payment }: ReceivedPurchase): Step[] => (payment ? [['PaymentAuthorised', charged, 1]] : []);
const released = ({ payment }: ReceivedPurchase, how: string): Step[] =>
  payment ? [['PaymentReleased', { provider: 'sandbox', reference: 'pay_1', how }, 5]] : [];

function sent(random: SeededRandomness, { delivery_method: method }: ReceivedPurchase): Step[] {
  if (method === 'ship') {
    const data = { carrier: 'UPS', tracking_number: trackingOf(random.integer(1e9)) };
    return [
      ['TicketsShipped', { ...status(2002), fulfillment: { type: 'ship', data } }, 600],
      ['TicketsShipped', status(2003), 3_000],
    ];
  }
  const fulfillment = { type: 'download', data: { url: 'https://tickets.example/download/4711' } };
  return [['TicketsDelivered', { ...status(2004), fulfillment }, 600]];
}

function newSteps(random: SeededRandomness, received: ReceivedPurchase): Step[] {
  const what = random.fraction();
  if (what < 0.05 && received.payment) return [];
  if (what < 0.35) return [...paid(received), ['OrderPending', status(1001), 1]];
  if (what < 0.4) return [...paid(received), ['OrderHeldForReview', status(1002), 1]];
  return [...paid(received), ['OrderPending', status(1001), 1], ['OrderConfirmed', status(2000), 5]];
}

function oldSteps(random: SeededRandomness, received: ReceivedPurchase): Step[] {
  const what = random.fraction();
  const opened: Step[] = [...paid(received), ['OrderPending', status(1001), 1]];
  const confirmed: Step[] = [...opened, ['OrderConfirmed', status(2000), 10]];
  if (what < 0.03 && received.payment) return [['PaymentDeclined', { provider: 'sandbox', reason: 'declined' }, 1]];
  if (what < 0.1) {
    const code = random.pick([3001, 3002, 3003, 3004, 3005, 3006]);
    return [...opened, ['OrderRejected', status(code), 30], ...released(received, random.pick(['voided', 'refunded']))];
  }
  if (what < 0.11) return [...confirmed, ['OrderExceptionRaised', status(random.pick([4001, 4002, 4006])), 100]];
  if (what < 0.12) {
    const offered: Step[] = [...confirmed, ['ReplacementOffered', status(4005), 100]];
    return random.fraction() < 0.5 ? offered : [...offered, ['ReplacementAccepted', status(2005), 60]];
  }
  return [...confirmed, ['OrderConfirmed', status(2001), 2], ...sent(random, received)];
}

function recordedEvents(stream: string, index: number, placedAt: number, steps: readonly Step[]) {
  let at = placedAt;
  const metadata = { transaction_id: `4c1f6a52-${String(index).padStart(8, '0')}`, actor: 'platform:client' };
  return steps.map(([type, data, minutes = 0], step): RecordedEvent<OrderEvent> => {
    at += minutes * MINUTE_MS;
    return {
      type,
      data,
      stream,
      position: step + 1,
      event_id: `evt_${index}_${step + 1}`,
      metadata,
      recorded_at: new Date(at).toISOString(),
    } as RecordedEvent<OrderEvent>;
  });
}
