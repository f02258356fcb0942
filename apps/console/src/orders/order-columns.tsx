import { Link } from '@tanstack/react-router';
import { columnVisibilityFeature, createColumnHelper, tableFeatures } from '@tanstack/react-table';
import type { OrderSummary } from '#contracts/backoffice/order';
import { useEvent } from '../api/event-names.js';
import { ShortId } from '../frame/short-id.js';
import { Status } from '../frame/status.js';
import { Time } from '../frame/time.js';
import { useNow } from '../frame/now.js';
import { exactTime, money, number, timeLeft, venueTime } from '../words/formats.js';
import { ordersWords } from '../words/orders.js';

export const features = tableFeatures({ columnVisibilityFeature });
const helper = createColumnHelper<typeof features, OrderSummary>();
const words = ordersWords.column;

/** Columns that people may hide, with the sort that a click on the heading asks for. */
export const HIDEABLE = [
  'event',
  'quantity',
  'total',
  'delivery',
  'ref',
  'client',
  'placed',
  'updated',
  'due',
] as const;
export const HIDDEN_AT_FIRST: readonly string[] = ['delivery', 'client', 'updated'];
export const SORTED_BY: Readonly<Record<string, string>> = {
  placed: 'placed_at',
  updated: 'updated_at',
  total: 'total',
  due: 'due_at',
};

export const columns = helper.columns([
  helper.accessor('id', {
    id: 'id',
    header: words.id,
    cell: ({ row }) => (
      <Link to="/orders/$id" params={{ id: row.original.id }} aria-label={row.original.id} title={row.original.id}>
        <ShortId id={row.original.id} />
      </Link>
    ),
  }),
  helper.display({ id: 'status', header: words.status, cell: ({ row }) => <Status status={row.original.status} /> }),
  helper.display({
    id: 'event',
    header: words.event,
    cell: ({ row }) => <EventCell eventId={row.original.product.event_id} />,
  }),
  helper.display({
    id: 'quantity',
    header: words.quantity,
    cell: ({ row }) => number(row.original.product.quantity),
  }),
  helper.display({ id: 'total', header: words.total, cell: ({ row }) => money(row.original.total) }),
  helper.display({
    id: 'delivery',
    header: words.delivery,
    cell: ({ row }) => <span className="soft">{ordersWords.delivery[row.original.delivery_method.type]}</span>,
  }),
  helper.display({
    id: 'ref',
    header: words.ref,
    cell: ({ row }) => <span className="soft">{row.original.ref_id ?? '–'}</span>,
  }),
  helper.display({
    id: 'client',
    header: words.client,
    cell: ({ row }) => <span className="soft">{row.original.client_id}</span>,
  }),
  helper.display({ id: 'placed', header: words.placed, cell: ({ row }) => <Time at={row.original.placed_at} /> }),
  helper.display({ id: 'updated', header: words.updated, cell: ({ row }) => <Time at={row.original.updated_at} /> }),
  helper.display({ id: 'due', header: words.due, cell: ({ row }) => <Due at={row.original.confirm_by} /> }),
]);

function EventCell({ eventId }: Readonly<{ eventId: string }>) {
  const event = useEvent(eventId);
  if (!event) return <span className="soft">{eventId}</span>;
  return (
    <span title={event.title}>
      {event.title} <span className="soft">· {venueTime(event.datetime_local)}</span>
    </span>
  );
}

function Due({ at }: Readonly<{ at: string | null }>) {
  const now = useNow(1_000);
  if (at === null) return <span className="soft">–</span>;
  const { text, late } = timeLeft(at, now);
  return (
    <time dateTime={at} title={exactTime(at)} className={late ? 'late' : ''}>
      {late ? `${text} late` : text}
    </time>
  );
}
