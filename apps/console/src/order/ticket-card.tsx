import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ListingDocument } from '#listings/listing.contract';
import type { OrderDetail } from '#orders/order.contract';
import { useShow } from '../api/show-names.js';
import { ask } from '../api/http.js';
import { timeAtVenue } from '../words/formats.js';
import { orderWords as words } from './order-words.js';
import { deliveryMethods } from '../words/delivery-methods.js';
import { Card, Field } from './card.js';

/** As high as a line of text. */
const BLANK = '\u00a0';

export function TicketCard({ order: { product, delivery_method, delivery } }: Readonly<{ order: OrderDetail }>) {
  const show = useShow(product.event_id);
  const { data: listing, error } = useQuery({
    queryKey: ['listing', product.listing_id],
    queryFn: ({ signal }) => ask('GET listings/{listing_id}', { path: { listing_id: product.listing_id }, signal }),
    staleTime: 60_000,
    retry: false,
  });
  return (
    <Card title={words.cards.tickets} aside={<strong>{words.count(product.quantity)}</strong>}>
      <dl>
        <Field
          name={words.field.show}
          value={
            show ? (
              <>
                <Link to="/events/$id" params={{ id: product.event_id }}>
                  {show.title}
                </Link>
                <span className="second">
                  {timeAtVenue(show.datetime_local)} ·{' '}
                  <Link className="in-text" to="/events" search={{ q: show.venue, when: 'all' }}>
                    {show.venue}
                  </Link>
                </span>
              </>
            ) : (
              <>
                {product.event_id}
                <span className="second">{show === null ? words.notInCatalogue : BLANK}</span>
              </>
            )
          }
        />
        {!error && (
          <Field name={words.field.seats} value={listing ? seatsText(listing, delivery.seats ?? []) : BLANK} />
        )}
        <Field
          name={words.field.listing}
          value={
            <Link className="mono" to="/listings/$id" params={{ id: product.listing_id }}>
              {product.listing_id}
            </Link>
          }
        />
        <Field name={words.field.delivery} value={deliveryMethods[delivery_method.type] ?? delivery_method.type} />
      </dl>
    </Card>
  );
}

type Seats = NonNullable<OrderDetail['delivery']['seats']>;

/** The order's own seats, unless they are only numbers because the listing names none. */
function seatsText({ section, row, seats: named }: ListingDocument, seats: Seats): string {
  const names = named && named.length > 0 ? seats.map(({ seat }) => seat) : [];
  const rest = names.length > 0 ? ` · ${words.seats(names)}` : '';
  return `Section ${section} · Row ${row}${rest}`;
}
