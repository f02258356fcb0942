import type { ReactNode } from 'react';
import type { OrderSummary } from '#orders/order.contract';
import { ShowName } from '../frame/show-name.js';
import { OrderLink } from '../frame/order-link.js';
import { Status } from '../frame/status.js';
import { Time } from '../frame/time.js';
import { useNow } from '../frame/now.js';
import { exactTime, money, number, timeLeft } from '../words/formats.js';
import { filterWords, ordersWords } from './orders-words.js';
import { deliveryMethods } from '../words/delivery-methods.js';
import { BuyerText } from '../frame/buyer-text.js';
import { partsIn } from '../frame/found-parts.js';
import { CardCell, FoundCell, PlaceCell } from './found-cells.js';
import { AnswerButtons } from './answering.js';

const words = ordersWords.column;

export type Column = Readonly<{ id: string; header: string; cell: (order: OrderSummary) => ReactNode }>;

/** Columns that people choose and order. The id and the status always come first. */
export const CHOOSABLE = [
  'event',
  'place',
  'buyer',
  'quantity',
  'total',
  'card',
  'seller',
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
const AT_FIRST: readonly ColumnName[] = ['event', 'place', 'buyer', 'total', 'card', 'seller', 'placed', 'due'];

/** The names that are columns, or the default columns if none is. */
export function columnNames(names: readonly string[]): readonly ColumnName[] {
  const known = [...new Set(names)].flatMap((name) => CHOOSABLE.find((one) => one === name) ?? []);
  return known.length > 0 ? known : AT_FIRST;
}

export const SORTED_BY: Readonly<Record<string, string>> = {
  placed: 'placed_at',
  updated: 'updated_at',
  total: 'total',
  due: 'due_at',
};

const all: readonly Column[] = [
  { id: 'id', header: words.id, cell: (order) => <OrderLink id={order.id} parts={partsIn(order, 'id')} /> },
  { id: 'status', header: words.status, cell: ({ status }) => <Status status={status} /> },
  {
    id: 'event',
    header: words.event,
    cell: (order) => <ShowName id={order.product.event_id} parts={partsIn(order, 'show')} />,
  },
  { id: 'found', header: words.found, cell: (order) => <FoundCell order={order} /> },
  { id: 'place', header: words.place, cell: (order) => <PlaceCell order={order} /> },
  { id: 'buyer', header: words.buyer, cell: (order) => <BuyerText order={order} /> },
  { id: 'card', header: words.card, cell: (order) => <CardCell order={order} /> },
  { id: 'seller', header: words.seller, cell: ({ seller }) => soft(seller ?? '–') },
  { id: 'quantity', header: words.quantity, cell: ({ product }) => number(product.quantity) },
  { id: 'total', header: words.total, cell: ({ total }) => money(total) },
  { id: 'delivery', header: words.delivery, cell: (order) => soft(deliveryMethods[order.delivery_method.type]) },
  { id: 'ref', header: words.ref, cell: (order) => soft(order.ref_id ?? '–') },
  { id: 'client', header: words.client, cell: (order) => soft(order.client_id) },
  { id: 'placed', header: words.placed, cell: (order) => <Time at={order.placed_at} /> },
  { id: 'updated', header: words.updated, cell: (order) => <Time at={order.updated_at} /> },
  {
    id: 'due',
    header: words.due,
    cell: ({ id, confirm_by: at }) => (at === null ? soft('–') : <Due id={id} at={at} />),
  },
  { id: 'assignee', header: words.assignee, cell: (order) => order.assignee_name ?? soft('–') },
  {
    id: 'tags',
    header: words.tags,
    cell: ({ tags }) =>
      tags.map((tag) => (
        <span key={tag} className="tag">
          {tag}
        </span>
      )),
  },
  { id: 'listing', header: words.listing, cell: ({ product }) => soft(product.listing_id) },
  { id: 'variant', header: words.variant, cell: ({ variant }) => soft(filterWords.option[variant]) },
];

function soft(text: string | undefined) {
  return <span className="soft">{text}</span>;
}

const byId = new Map(all.map((column) => [column.id, column]));

/** @param isSearch where the search met each order comes before the columns that people choose; if they chose none, in place of the due time */
export function columnsOf(names: readonly ColumnName[], isSearch: boolean): readonly Column[] {
  const shown = isSearch && names === AT_FIRST ? AT_FIRST.filter((name) => name !== 'due') : names;
  return ['id', 'status', ...(isSearch ? ['found'] : []), ...shown].flatMap((name) => byId.get(name) ?? []);
}

export const WIDTHS: Readonly<Record<string, string>> = {
  id: '124px',
  status: 'minmax(124px, 1.6fr)',
  event: 'minmax(110px, 3fr)',
  found: 'minmax(150px, 2fr)',
  place: 'minmax(84px, 1fr)',
  buyer: 'minmax(130px, 2.4fr)',
  quantity: '48px',
  total: '76px',
  card: '50px',
  seller: 'minmax(60px, 1fr)',
  delivery: '92px',
  ref: 'minmax(60px, 1fr)',
  client: 'minmax(80px, 0.8fr)',
  listing: 'minmax(80px, 0.8fr)',
  placed: '76px',
  updated: '84px',
  due: '208px',
  assignee: 'minmax(96px, 1fr)',
  tags: 'minmax(96px, 1.2fr)',
  variant: '88px',
};

function Due({ id, at }: Readonly<{ id: string; at: string }>) {
  const now = useNow(1_000);
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
