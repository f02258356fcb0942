import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { DataTable } from '../frame/data-table.js';
import { ListFilters } from '../frame/list-filters.js';
import { PageHead } from '../frame/page-head.js';
import { usePageQuery } from '../frame/use-page-query.js';
import { money, number } from '../words/formats.js';
import { listingsWords } from '../listings/listing-words.js';
import { showWords as words } from './show-words.js';
import { showTime, venueText } from './show-text.js';
import { MoreButton } from '../frame/more-button.js';

const PAGE = 100;
const TIMES = ['past', 'all'] as const;

/** The shows of the catalogue with what is for sale and what was sold. */
export function ShowsPage() {
  const navigate = useNavigate();
  const search = useSearch({ from: '/frame/events' });
  const { q = '', when = '' } = search;
  const query = { limit: PAGE, ...(q !== '' && { q }), when: TIMES.find((one) => one === when) };
  const list = usePageQuery('GET events', { query }, ({ events }) => events);
  const { column } = words;
  return (
    <div className="page">
      <PageHead title={words.title} />
      <ListFilters
        search={words.search}
        hint={words.searchHint}
        choice={{ label: words.when, options: words.whens }}
        q={q}
        chosen={when}
        onShow={(text, chosen) =>
          void navigate({ to: '/events', search: { ...(text && { q: text }), ...(chosen && { when: chosen }) } })
        }
      />
      <DataTable
        label={words.title}
        rows={list.rows}
        keyOf={({ id }) => id}
        empty={q === '' && when === '' ? words.empty : words.none}
        query={list}
        columns={[
          {
            id: 'show',
            name: column.show,
            cell: ({ id, title }) => (
              <Link to="/events/$id" params={{ id }}>
                {title ?? id}
              </Link>
            ),
          },
          { id: 'date', name: column.date, cell: (show) => <span className="nowrap">{showTime(show)}</span> },
          { id: 'venue', name: column.venue, cell: (show) => venueText(show) },
          { id: 'listings', name: column.listings, end: true, cell: ({ listings }) => number(listings) },
          { id: 'left', name: column.left, end: true, cell: ({ tickets_left }) => number(tickets_left) },
          {
            id: 'price',
            name: column.price,
            end: true,
            cell: ({ lowest_price }) => (lowest_price === null ? '–' : money(lowest_price)),
          },
          { id: 'orders', name: column.orders, end: true, cell: ({ orders }) => number(orders) },
          { id: 'sold', name: column.sold, end: true, cell: ({ tickets_sold }) => number(tickets_sold) },
          { id: 'sales', name: column.sales, end: true, cell: ({ sales }) => (sales === 0 ? '–' : money(sales)) },
        ]}
      />
      <MoreButton list={list}>{listingsWords.more}</MoreButton>
    </div>
  );
}
