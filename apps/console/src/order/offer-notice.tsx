import { Link } from '@tanstack/react-router';
import type { OrderDetail } from '#orders/order.contract';
import { useNow } from '../frame/now.js';
import { exactTime, minuteTime, money, timeLeft } from '../words/formats.js';
import { frame } from '../words/frame.js';
import { orderWords } from './order-words.js';
import { replacementWords as words } from './replacement-words.js';

/** How the offer of other tickets stands, with its clock. */
export function OfferNotice({ order: { replacement } }: Readonly<{ order: OrderDetail }>) {
  const now = useNow(1_000);
  if (!replacement) return null;
  const { state, listing_id: id, quantity, terms, expires_at: at, price_difference: price = 0 } = replacement;
  const { text, late } = timeLeft(at, now);
  return (
    <p className="status-reason">
      {state === 'open' ? (
        <time dateTime={at} title={exactTime(at)}>
          {words.state.open} {minuteTime(at, now)} <strong>{late ? frame.late(text) : frame.left(text)}</strong>
        </time>
      ) : (
        words.state[state]
      )}
      <span>
        {orderWords.count(quantity)}, {orderWords.field.listing.toLowerCase()}{' '}
        <Link className="mono" to="/listings/$id" params={{ id }}>
          {id}
        </Link>
      </span>
      {state === 'open' && price !== 0 && (
        <span>{price < 0 ? words.cheaper(money(-price)) : words.dearer(money(price))}</span>
      )}
      {terms !== null && <q>{terms}</q>}
    </p>
  );
}
