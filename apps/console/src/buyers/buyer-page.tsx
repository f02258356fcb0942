import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ask } from '../api/http.js';
import { may, sessionQuery } from '../api/session.js';
import { Failure } from '../frame/failure.js';
import { Facts } from '../frame/facts.js';
import { PageHead } from '../frame/page-head.js';
import { Time } from '../frame/time.js';
import { UnreadPage } from '../frame/unread-page.js';
import { buyerOf } from '../order/edit/buyer.js';
import { RevealForm } from '../order/reveal-form.js';
import { useReveal } from '../order/use-reveal.js';
import { money, number } from '../words/formats.js';
import type { Buyer } from '#orders/buyer.contract';
import { BuyerOrders } from './buyer-orders.js';
import { buyerWords as words } from './buyer-words.js';

/** A buyer with all orders, by one of them. */
export function BuyerPage() {
  const { id } = useParams({ from: '/frame/buyers/$id' });
  const query = useQuery({
    queryKey: ['buyer', id],
    queryFn: ({ signal }) => ask('GET buyers/{id}', { path: { id }, signal }),
  });
  const back = { to: `/orders/${encodeURIComponent(id)}`, name: words.back };
  if (!query.data) return <UnreadPage back={back} title={words.title} query={query} missing={words.missing(id)} />;
  return (
    <div className="page">
      <LoadedBuyer buyer={query.data} back={back} key={id} />
      <BuyerOrders id={id} />
    </div>
  );
}

type Props = Readonly<{ buyer: Buyer; back: Readonly<{ to: string; name: string }> }>;

function LoadedBuyer({ buyer, back }: Props) {
  const { data: session } = useQuery(sessionQuery);
  const reveal = useReveal(buyer.id, () => undefined);
  const { data } = reveal;
  const shown = data ? buyerOf(data, NOTHING) : contactTexts(buyer.contact);
  const { fact } = words;
  const hint = buyer.personal_data === 'erased' ? words.erased : words.knownBy[buyer.known_by];
  return (
    <>
      <PageHead title={shown.name || shown.email || words.title} hint={hint} back={back}>
        {may(session, 'orders:reveal') && buyer.personal_data === 'kept' && !data && <RevealForm reveal={reveal} />}
        {data && (
          <button type="button" className="link-button small" onClick={() => reveal.reset()}>
            {words.hide}
          </button>
        )}
      </PageHead>
      {reveal.error && <Failure error={reveal.error} />}
      <Facts
        facts={[
          [fact.email, shown.email || '–'],
          [fact.phone, shown.phone || '–'],
          [fact.orders, words.orders(number(buyer.orders), buyer.rejected)],
          [fact.total, words.total(money(buyer.total), number(buyer.tickets))],
          [fact.refunded, money(buyer.refunded)],
          [fact.disputes, <Disputes key="disputes" buyer={buyer} />],
          [fact.since, <Time key="since" at={buyer.first_order_at} />],
        ]}
      />
    </>
  );
}

/** The order that names the buyer is not read for its parts. */
const NOTHING = { buyer: null, delivery_method: { data: {} }, payment: null };

function contactTexts(contact: Buyer['contact']) {
  return { name: contact?.name ?? '', email: contact?.email ?? '', phone: contact?.phone ?? '' };
}

function Disputes({ buyer: { disputes, open_disputes: open } }: Readonly<{ buyer: Buyer }>) {
  return <span className={open > 0 ? 'late' : ''}>{words.disputes(disputes, open)}</span>;
}
