import type { OrderEvent } from '#domain/order-events';
import type { Order } from '#domain/order-state';
import { orderIdOf } from '#domain/order-stream';
import type { AppendContext, InlineProjection } from '#event-store/inline-projection';

/** The columns of table `order_tickets` that an upload fills. Bytes are hex as PostgreSQL reads it. */
const COLUMNS = {
  id: 'text',
  order_id: 'text',
  event_id: 'text',
  attached_at: 'timestamptz',
  actor: 'text',
  type: 'text',
  size: 'int',
  sha256: 'bytea',
  sealed: 'bytea',
  barcode_digest: 'bytea',
} as const;

export type TicketRow = Readonly<Record<Exclude<keyof typeof COLUMNS, 'barcode_digest' | 'size'>, string>> &
  Readonly<{ size: number; barcode_digest: string | null }>;

type Context = AppendContext<Order, OrderEvent>;
const names = Object.keys(COLUMNS).join(', ');

/** A barcode that another ticket of the event has fails with this name as `ProjectionConflict.projection`. */
export const ORDER_TICKETS = 'order_tickets';

/** Binds the sealed label of a ticket to it. */
export const ticketLabelId = (ticketId: string) => `ticket/${ticketId}`;

export const ticketFileKey = (orderId: string, ticketId: string) => `tickets/${orderId}/${ticketId}`;

export const attachedTickets = ({ attachments }: Context) =>
  (attachments['tickets'] as readonly TicketRow[] | undefined) ?? [];

/** What the log must not have in clear: names, seats and barcodes, sealed with the order's key. */
const orderTicketsProjection: InlineProjection<Order, OrderEvent> = {
  name: ORDER_TICKETS,
  columns: COLUMNS,
  statement: (rows) => `insert into order_tickets (${names}) select ${names} from ${rows} returning 1`,
  rows: attachedTickets,
};

/** The files were to be removed in case the upload did not come to its end. Now they stay. */
const keptObjectsProjection: InlineProjection<Order, OrderEvent> = {
  name: 'kept_objects',
  columns: { key: 'text' },
  statement: (rows) => `delete from object_removals r using ${rows} where r.key = kept_objects.key returning 1`,
  requireRowCount: true,
  rows: (context) => [
    ...attachedTickets(context).map(({ order_id, id }) => ({ key: ticketFileKey(order_id, id) })),
    ...context.appended.flatMap((event) => {
      if (event.type !== 'TransferProofAdded') return [];
      return [{ key: ticketFileKey(orderIdOf(context.stream) ?? '', event.data.proof.id) }];
    }),
  ],
};

/** Tickets that the order no longer hands out, because they were removed, replaced, sold again or erased. Their barcodes are free. */
const withdrawnTicketsProjection: InlineProjection<Order, OrderEvent> = {
  name: 'withdrawn_tickets',
  columns: { id: 'text', at: 'timestamptz' },
  statement: (rows) => `
    update order_tickets t set withdrawn_at = withdrawn_tickets.at, barcode_digest = null from ${rows}
    where t.id = withdrawn_tickets.id returning 1`,
  rows: ({ before, after, appended }) => {
    if (!before.known || !after.known || before.ticketFiles.ids === after.ticketFiles.ids) return [];
    const left = new Set(after.ticketFiles.ids);
    const at = appended.at(-1)?.recorded_at;
    return before.ticketFiles.ids.filter((id) => !left.has(id)).map((id) => ({ id, at }));
  },
};

/** Files that staff took back. */
const removedTicketsProjection: InlineProjection<Order, OrderEvent> = {
  name: 'removed_tickets',
  columns: { key: 'text', at: 'timestamptz' },
  statement: (rows) => `
    insert into object_removals (key, due_at) select key, at from ${rows} on conflict do nothing returning 1`,
  rows: ({ stream, appended }) =>
    appended.flatMap((event) => {
      if (event.type !== 'TicketRemoved') return [];
      return [{ key: ticketFileKey(orderIdOf(stream) ?? '', event.data.ticket_id), at: event.recorded_at }];
    }),
};

/** Nobody can read the files without the order's key. They are also removed, those of tickets that were withdrawn before included. */
const erasedTicketsProjection: InlineProjection<Order, OrderEvent> = {
  name: 'erased_tickets',
  columns: { order_id: 'text', at: 'timestamptz' },
  statement: (rows) => `
    insert into object_removals (key, due_at)
    select 'tickets/' || t.order_id || '/' || t.id, erased_tickets.at
    from ${rows} join order_tickets t on t.order_id = erased_tickets.order_id
    on conflict do nothing returning 1`,
  rows: ({ stream, before, appended }) => {
    if (!before.known || !before.hasSealedNotes) return [];
    const erased = appended.find(({ type }) => type === 'PersonalDataErased');
    return erased ? [{ order_id: orderIdOf(stream), at: erased.recorded_at }] : [];
  },
};

/** The files that prove its transfers. They have no row of a ticket. */
const erasedProofsProjection: InlineProjection<Order, OrderEvent> = {
  ...removedTicketsProjection,
  name: 'erased_proofs',
  rows: ({ stream, before, appended }) => {
    const erased = appended.find(({ type }) => type === 'PersonalDataErased');
    if (!before.known || !erased) return [];
    const { transfers, earlierTransfers } = before.delivery;
    return [...transfers, ...earlierTransfers].flatMap(({ proofs }) =>
      proofs.map(({ proof }) => ({ key: ticketFileKey(orderIdOf(stream) ?? '', proof.id), at: erased.recorded_at })),
    );
  },
};

export const TICKET_PROJECTIONS = [
  orderTicketsProjection,
  keptObjectsProjection,
  withdrawnTicketsProjection,
  removedTicketsProjection,
  erasedTicketsProjection,
  erasedProofsProjection,
];
