import { createColumnHelper, tableFeatures } from '@tanstack/react-table';
import type { OrderSummary } from '#contracts/backoffice/order';
import { useEvent } from '../api/event-names.js';
import { OrderLink } from '../frame/order-link.js';
import { Status } from '../frame/status.js';
import { Time } from '../frame/time.js';
import { useNow } from '../frame/now.js';
import { exactTime, money, number, timeLeft, venueTime } from '../words/formats.js';
import { filterWords, ordersWords } from '../words/orders.js';
import { AnswerButtons } from './answering.js';

export const features = tableFeatures({});
const helper = createColumnHelper<typeof features, OrderSummary>();
const words = ordersWords.column;

/** Columns that people choose and order. The id and the status always come first. */
export const CHOOSABLE = [
  'event',
  'quantity',
  'total',
  'ref',
  'placed',
  'due',
  'updated',
  'assignee',
  'tags',
  'delivery',
  'client',
  'listing',
  'variant',
] as const;
export type ColumnName = (typeof CHOOSABLE)[number];
const AT_FIRST: readonly ColumnName[] = ['event', 'quantity', 'total', 'ref', 'placed', 'due'];

/** The names that are columns, or the default columns if none is. */
export function columnNames(names: readonly string[]): readonly ColumnName[] {
  const known = [...new Set(names)].filter((name) => (CHOOSABLE as readonly string[]).includes(name));
  return known.length > 0 ? (known as ColumnName[]) : AT_FIRST;
}

export const SORTED_BY: Readonly<Record<string, string>> = {
  placed: 'placed_at',
  updated: 'updated_at',
  total: 'total',
  due: 'due_at',
};

const all = helper.columns([
  helper.accessor('id', {
    id: 'id',
    header: words.id,
    cell: ({ row }) => <OrderLink id={row.original.id} />,
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
  helper.display({ id: 'due', header: words.due, cell: ({ row }) => <Due order={row.original} /> }),
  helper.display({
    id: 'assignee',
    header: words.assignee,
    cell: ({ row }) => row.original.assignee_name ?? <span className="soft">–</span>,
  }),
  helper.display({
    id: 'tags',
    header: words.tags,
    cell: ({ row }) =>
      row.original.tags.map((tag) => (
        <span key={tag} className="tag">
          {tag}
        </span>
      )),
  }),
  helper.display({
    id: 'listing',
    header: words.listing,
    cell: ({ row }) => <span className="soft">{row.original.product.listing_id}</span>,
  }),
  helper.display({
    id: 'variant',
    header: words.variant,
    cell: ({ row }) => <span className="soft">{filterWords.option[row.original.variant]}</span>,
  }),
]);

const byId = new Map(all.map((column) => [column.id ?? '', column]));

export function columnsOf(names: readonly ColumnName[]) {
  return ['id', 'status', ...names].flatMap((name) => byId.get(name) ?? []);
}

export const WIDTHS: Readonly<Record<string, string>> = {
  id: '132px',
  status: 'minmax(176px, 1.6fr)',
  event: 'minmax(120px, 3fr)',
  quantity: '52px',
  total: '84px',
  delivery: '92px',
  ref: 'minmax(60px, 1fr)',
  client: 'minmax(80px, 0.8fr)',
  listing: 'minmax(80px, 0.8fr)',
  placed: '84px',
  updated: '84px',
  due: '208px',
  assignee: 'minmax(96px, 1fr)',
  tags: 'minmax(96px, 1.2fr)',
  variant: '88px',
};

function EventCell({ eventId }: Readonly<{ eventId: string }>) {
  const event = useEvent(eventId);
  if (!event) return <span className="soft">{eventId}</span>;
  return (
    <span title={event.title}>
      {event.title} <span className="soft">· {venueTime(event.datetime_local)}</span>
    </span>
  );
}

function Due({ order: { id, confirm_by: at } }: Readonly<{ order: OrderSummary }>) {
  const now = useNow(1_000);
  if (at === null) return <span className="soft">–</span>;
  const { text, late } = timeLeft(at, now);
  return (
    <span className="due">
      <time dateTime={at} title={exactTime(at)} className={late ? 'late' : ''}>
        {late ? `${text} late` : text}
      </time>
      {!late && <AnswerButtons orderId={id} />}
    </span>
  );
}
