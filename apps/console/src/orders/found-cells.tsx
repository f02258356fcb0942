import type { OrderSummary } from '#orders/order.contract';
import { type FoundField, partsIn } from '../frame/found-parts.js';
import { Marked } from '../frame/marked.js';
import { number } from '../words/formats.js';
import { foundWords as words } from './found-words.js';

/** How many tickets, their section and row, and the seat that was asked for. */
export function PlaceCell({ order }: Readonly<{ order: OrderSummary }>) {
  const { section, row, product } = order;
  const count = number(product.quantity);
  if (section === null) return <span className="soft">{count} ×</span>;
  const place = [section, row].filter(Boolean).join(' · ');
  const [seat] = partsIn(order, 'seat');
  return (
    <span title={`${count} × ${place}`}>
      <span className="soft">{count} ×</span> {partsIn(order, 'place').length > 0 ? <mark>{place}</mark> : place}
      {seat !== undefined && (
        <>
          {' · '}
          <mark>{seat}</mark>
        </>
      )}
    </span>
  );
}

export function CardCell({ order }: Readonly<{ order: OrderSummary }>) {
  const { card_last4: last } = order;
  if (last === null) return <span className="soft">–</span>;
  return (
    <span aria-label={words.card(last)}>
      <span className="soft">··</span>
      <Marked text={last} parts={partsIn(order, 'card_last4')} />
    </span>
  );
}

/** Where the search met the order: each field once. */
export function FoundCell({ order: { matched = [] } }: Readonly<{ order: OrderSummary }>) {
  const text = matched.map(({ field, part }) => `${words.field[field]} ${part}`).join(', ');
  return (
    <span title={text}>
      {matched.map(({ field, part }, index) => (
        <span key={`${field} ${part}`}>
          {index > 0 && ', '}
          <span className="soft">{words.field[field]}</span> <mark>{part}</mark>
        </span>
      ))}
    </span>
  );
}

type SearchedProps = Readonly<{ searched: readonly FoundField[] | undefined }>;

/** What a search was compared with. */
export function Searched({ searched }: SearchedProps) {
  if (!searched || searched.length === 0) return null;
  return <p className="searched soft small">{words.searched(searched.map((field) => words.fields[field]))}</p>;
}
