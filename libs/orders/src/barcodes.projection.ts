import { keptSeats } from '#domain/handover';
import type { OrderEvent } from '#domain/order-events';
import type { Order } from '#domain/order-state';
import { orderIdOf } from '#domain/order-stream';
import type { AppendContext, InlineProjection } from '#event-store/inline-projection';
import { attachedTickets } from './tickets.projection.js';

/** The barcode of a seat and why it was given, sealed with the order's key. Bytes are hex as PostgreSQL reads it. */
export type SeatBarcodeRow = Readonly<{ order_id: string; seat: string; sealed: string }>;

/** A barcode that is in use in the event fails with this name as `ProjectionConflict.projection`. */
export const USED_BARCODES = 'used_barcodes';

type Context = AppendContext<Order, OrderEvent>;

const bytes = (digest: string) => `\\x${digest}`;

/** By digest, in hex. An order that was rejected keeps those of tickets that its buyer has. */
function seatsByDigest(order: Order): ReadonlyMap<string, string> {
  if (!order.known) return new Map();
  const kept = order.status?.status === 'rejected' ? new Set(keptSeats(order)) : undefined;
  return new Map(
    order.delivery.barcodes.flatMap(({ seat, digest }) =>
      digest !== null && (kept?.has(seat) ?? true) ? [[digest, seat] as const] : [],
    ),
  );
}

/** One namespace for the barcodes of seats and those of files. The tickets that are made of a barcode have it too. */
export const usedBarcodesProjection: InlineProjection<Order, OrderEvent> = {
  name: USED_BARCODES,
  columns: { digest: 'bytea', order_id: 'text', seat: 'text', ticket_id: 'text' },
  // The same barcode again, after it was refused, is no conflict.
  statement: (rows) => `
    insert into used_barcodes (digest, order_id, seat, ticket_id) select digest, order_id, seat, ticket_id from ${rows}
    on conflict (digest) do update set seat = excluded.seat
    where used_barcodes.order_id = excluded.order_id and used_barcodes.seat = excluded.seat
    returning 1`,
  requireRowCount: true,
  rows: (context) => {
    const order_id = orderIdOf(context.stream) ?? '';
    const [before, after] = [seatsByDigest(context.before), seatsByDigest(context.after)];
    const ofSeats = [...after].filter(([digest]) => !before.has(digest));
    const ofFiles = attachedTickets(context).filter(
      ({ barcode_digest: digest }) => digest !== null && !after.has(digest.slice('\\x'.length)),
    );
    return [
      ...ofSeats.map(([digest, seat]) => ({ digest: bytes(digest), order_id, seat, ticket_id: null })),
      ...ofFiles.map(({ id, barcode_digest: digest }) => ({ digest, order_id, seat: null, ticket_id: id })),
    ];
  },
};

/** Barcodes of seats that the order no longer uses: replaced, of earlier tickets, or for sale again. */
const freedSeatBarcodesProjection: InlineProjection<Order, OrderEvent> = {
  name: 'freed_seat_barcodes',
  columns: { digest: 'bytea' },
  statement: (rows) =>
    `delete from used_barcodes u using ${rows} where u.digest = freed_seat_barcodes.digest returning 1`,
  rows: ({ before, after }) => {
    const left = seatsByDigest(after);
    return [...seatsByDigest(before).keys()]
      .filter((digest) => !left.has(digest))
      .map((digest) => ({ digest: bytes(digest) }));
  },
};

const freedTicketBarcodesProjection: InlineProjection<Order, OrderEvent> = {
  name: 'freed_ticket_barcodes',
  columns: { ticket_id: 'text' },
  statement: (rows) =>
    `delete from used_barcodes u using ${rows} where u.ticket_id = freed_ticket_barcodes.ticket_id returning 1`,
  rows: ({ before, after }) => {
    if (!before.known || !after.known || before.ticketFiles.ids === after.ticketFiles.ids) return [];
    const left = new Set(after.ticketFiles.ids);
    return before.ticketFiles.ids.filter((id) => !left.has(id)).map((ticket_id) => ({ ticket_id }));
  },
};

const seatBarcodesProjection: InlineProjection<Order, OrderEvent> = {
  name: 'order_barcodes',
  columns: { order_id: 'text', seat: 'text', sealed: 'bytea' },
  statement: (rows) => `
    insert into order_barcodes (order_id, seat, sealed) select order_id, seat, sealed from ${rows}
    on conflict (order_id, seat) do update set sealed = excluded.sealed returning 1`,
  rows: ({ attachments }: Context) => (attachments['barcodes'] as readonly SeatBarcodeRow[] | undefined) ?? [],
};

export const BARCODE_PROJECTIONS = [
  freedSeatBarcodesProjection,
  freedTicketBarcodesProjection,
  usedBarcodesProjection,
  seatBarcodesProjection,
];
