import { dollarsOf } from '#domain/money';
import { isStatusEvent, type OrderEvent } from '#domain/order-events';
import type { RecordedEvent } from '#event-store/event';
import type { DisputeEvidence } from '#payments/provider-events';
import type { DisputedBuyer } from './disputed-buyers.js';

/** `at` is ISO 8601. */
export type EvidenceLine = Readonly<{ at: string; says: string }>;

type Recorded = RecordedEvent<OrderEvent>;

/** The codes of tickets that have left: shipped, transferred, sent electronically. */
const DELIVERED = [2002, 2003, 2004];

/** None for what says nothing to a bank. Notes of colleagues never get in. */
export function eventLine(event: Recorded): EvidenceLine[] {
  const says = saidOf(event);
  return says === undefined ? [] : [{ at: event.recorded_at, says }];
}

function saidOf(event: Recorded): string | undefined {
  if (isStatusEvent(event)) return `Status of the order: ${event.data.status.status_message}.`;
  switch (event.type) {
    case 'PurchaseReceived': {
      const { product, total_cents, currency = 'USD' } = event.data;
      return `The buyer bought ${product.quantity} tickets for ${dollarsOf(total_cents).toFixed(2)} ${currency}.`;
    }
    case 'PaymentAuthorised':
      return 'The payment was authorised.';
    case 'PaymentCaptured':
      return `The payment of ${dollarsOf(event.data.amount_cents).toFixed(2)} ${event.data.currency} was captured.`;
    case 'RefundSucceeded':
      return 'A refund was made.';
    case 'TicketDownloaded':
      return 'A ticket was downloaded.';
    default:
      return undefined;
  }
}

export function buyerLines({ ip, deliveryAddress, billingAddress }: DisputedBuyer): string[] {
  return [
    ...(billingAddress === '' ? [] : [`Billing address given: ${billingAddress}`]),
    ...(deliveryAddress === '' ? [] : [`Delivery address given: ${deliveryAddress}`]),
    ...(ip === null ? [] : [`The purchase was agreed to from the IP address ${ip}`]),
  ];
}

/** The day, ISO 8601. Null if the tickets have not left. */
export function deliveredOn(events: readonly Recorded[]): string | null {
  const delivery = events.find((event) => isStatusEvent(event) && DELIVERED.includes(event.data.status.status_code));
  return delivery?.recorded_at.slice(0, 10) ?? null;
}

/** The last one that was given. */
export function trackingIn(events: readonly Recorded[]): DisputeEvidence['tracking'] {
  const last = events.findLast(({ data }) => 'fulfillment' in data && data.fulfillment !== undefined);
  const fulfillment = last && 'fulfillment' in last.data ? last.data.fulfillment : undefined;
  if (fulfillment?.type !== 'ship') return null;
  return { carrier: fulfillment.data.carrier, number: fulfillment.data.tracking_number };
}
