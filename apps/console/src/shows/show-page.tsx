import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ShowDetail } from '#desk/show-list.contract';
import { ask } from '../api/http.js';
import { PATH_PREFIX } from '../api/path-prefix.js';
import { CopyButton } from '../frame/copy-button.js';
import { Facts } from '../frame/facts.js';
import { NamedText } from '../frame/named-text.js';
import { PageHead } from '../frame/page-head.js';
import { UnreadPage } from '../frame/unread-page.js';
import { usePageQuery } from '../frame/use-page-query.js';
import { ListingTable } from '../listings/listing-table.js';
import { money, number } from '../words/formats.js';
import { listingsWords } from '../listings/listing-words.js';
import { showWords as words } from './show-words.js';
import { ShowRunButtons, ShowRunList } from './show-runs.js';
import { showTime, hasDate, venueText } from './show-text.js';
import { MoreButton } from '../frame/more-button.js';

const BACK = { to: '/events', name: words.title } as const;

/** A show with its sales, its listings and links to its orders. */
export function ShowPage() {
  const { id } = useParams({ from: '/frame/events/$id' });
  const one = useQuery({
    queryKey: ['show-sales', id],
    queryFn: ({ signal }) => ask('GET events/{event_id}', { path: { event_id: id }, signal }),
  });
  const list = usePageQuery('GET listings', { query: { event_id: id, limit: 100 } }, ({ listings }) => listings);
  const { data } = one;
  if (!data) {
    return <UnreadPage back={BACK} title={id} query={one} missing={words.notFoundHint(id)} />;
  }
  return (
    <div className="page">
      <PageHead back={BACK} title={data.title ?? id}>
        {data.title !== null && <a href={`${PATH_PREFIX}/e/${encodeURIComponent(id)}`}>{words.publicPage}</a>}
        <ShowRunButtons id={id} isInCatalogue={data.title !== null} />
      </PageHead>
      {data.title !== null && (
        <p className="section">
          <span>
            {showTime(data)} {hasDate(data) && <span className="soft">{words.venueTime}</span>} · {venueText(data)}
          </span>
        </p>
      )}
      <Sales show={data} />
      <ShowRunList id={id} />
      <section className="section">
        <h2>{words.listings}</h2>
        <ListingTable listings={list.rows} query={list} empty={words.noListings} isOfOneShow />
        <MoreButton list={list}>{listingsWords.more}</MoreButton>
      </section>
    </div>
  );
}

/** Each number of orders links to them. */
function Sales({ show }: Readonly<{ show: ShowDetail }>) {
  const { column } = words;
  const { id, listings, tickets_left: left, lowest_price: lowest, orders, tickets_sold: sold, sales, statuses } = show;
  const orderLink = (name: string, count: number, status?: string) => (
    <Link to="/orders" search={{ event_id: id, ...(status !== undefined && { status }) }}>
      <NamedText text={number(count)} name={name} />
    </Link>
  );
  const facts = [
    [
      words.id,
      <span key="id" className="row nowrap">
        <span className="mono">{id}</span>
        <CopyButton text={id} what={words.id} />
      </span>,
    ],
    [column.orders, orderLink(words.orders, orders)],
    ...Object.entries(words.statuses).flatMap(([status, name]) => {
      const count = statuses[status];
      return count === undefined ? [] : [[name, orderLink(`${name}: ${words.orders}`, count, status)] as const];
    }),
    [column.sold, number(sold)],
    [column.sales, money(sales)],
    [column.listings, number(listings)],
    [column.left, number(left)],
    [column.price, lowest === null ? '–' : money(lowest)],
  ] as const;
  return <Facts facts={facts} />;
}
