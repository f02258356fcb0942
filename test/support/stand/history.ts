import type { Pool } from 'pg';
import type { Arrival } from './platform-double.js';

/** A purchase that the load has submitted, and its outcome as the load knows it. */
export type PurchaseAttempt = Readonly<{
  refId: string;
  variant: 'payment' | 'wholesale';
  listingId: string;
  quantity: number;
  /** `fail`: the provider fails, the platform gets a 500, and a ping reports that the order is rejected. */
  expectedTo: 'succeed' | 'be refused' | 'fail';
  outcome: Outcome;
}>;

/** `cut`: no answer or a 5xx, so the purchase may exist or not. */
export type Outcome =
  | Readonly<{ is: 'acknowledged'; orderId: string; codes: readonly number[] }>
  | Readonly<{ is: 'refused'; status: number; codes: readonly number[] }>
  | Readonly<{ is: 'cut'; status: number | null }>;

/** A status that the load, as staff, tried to set. Those of one order are in sequence. */
export type ChangeAttempt = Readonly<{
  orderId: string;
  statusCode: number;
  outcome: 'acknowledged' | 'refused' | 'cut';
}>;

/** An order according to the log. */
export type LoggedOrder = Readonly<{
  id: string;
  refId: string;
  variant: string;
  listingId: string;
  quantity: number;
  statuses: readonly Readonly<{ status: string; code: number; transactionId: string; byStaff: boolean }>[];
  /** The payment failed, so there is no order. */
  notTaken: boolean;
  /** The codes of `status_history` that GET shows; null if there is no such purchase. */
  shown: readonly number[] | null;
}>;

export type ListingState = Readonly<{ id: string; offered: number; available: number }>;

/** Everything known about a load when it has ended and everything has settled. */
export type History = Readonly<{
  purchases: readonly PurchaseAttempt[];
  changes: readonly ChangeAttempt[];
  orders: readonly LoggedOrder[];
  listings: readonly ListingState[];
  arrivals: readonly Omit<Arrival, 'shown' | 'at' | 'overlaps'>[];
  /** By arrival number. */
  shownAt: ReadonlyMap<number, readonly number[] | null>;
}>;

type EventRow = {
  stream: string;
  type: string;
  data: { ref_id?: string; variant?: string; product?: Product; status?: { status: string; status_code: number } };
  transaction_id: string;
  actor: string;
};
type Product = { listing_id: string; quantity: number };

const AT_ONCE = 100;

/** The orders of the log whose `ref_id` has this prefix, oldest first. `show` reads each of them. */
export async function loggedOrders(
  pool: Pool,
  refPrefix: string,
  show: (order: { id: string; variant: string }) => Promise<readonly number[] | null>,
): Promise<LoggedOrder[]> {
  const { rows } = await pool.query<EventRow>(
    `select e.stream, e.type, e.data, e.metadata ->> 'transaction_id' as transaction_id, e.metadata ->> 'actor' as actor
     from events e join events first on first.stream = e.stream and first.position = 1
     where first.type = 'PurchaseReceived' and starts_with(first.data ->> 'ref_id', $1)
     order by e.stream, e.position`,
    [refPrefix],
  );
  const streams = new Map<string, EventRow[]>();
  for (const row of rows) streams.set(row.stream, [...(streams.get(row.stream) ?? []), row]);
  const orders: LoggedOrder[] = [];
  const left = [...streams.values()];
  // All at once, the last of thousands would be shown too late.
  while (left.length > 0) {
    orders.push(...(await Promise.all(left.splice(0, AT_ONCE).map((events) => loggedOrder(events, show)))));
  }
  return orders;
}

async function loggedOrder(
  events: readonly EventRow[],
  show: Parameters<typeof loggedOrders>[2],
): Promise<LoggedOrder> {
  const [first] = events;
  if (!first?.data.product) throw new Error('An order begins with its purchase.');
  const id = first.stream.replace(/^order-/, '');
  const variant = String(first.data.variant);
  return {
    id,
    variant,
    refId: String(first.data.ref_id),
    listingId: first.data.product.listing_id,
    quantity: first.data.product.quantity,
    statuses: events.flatMap(({ data: { status }, transaction_id: transactionId, actor }) =>
      status
        ? [
            {
              status: status.status,
              code: status.status_code,
              transactionId,
              byStaff: /^(?:operator|token):/.test(actor),
            },
          ]
        : [],
    ),
    notTaken: events.some(({ type }) => type === 'PaymentDeclined' || type === 'PaymentFailed'),
    shown: await show({ id, variant }),
  };
}
