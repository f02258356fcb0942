import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ListingDocument } from '#contracts/backoffice/listing';
import type { ListingList } from '#contracts/backoffice/listing-list';
import { eventQuery } from '../api/event-names.js';
import { Failure } from '../frame/failure.js';
import { PageHead } from '../frame/page-head.js';
import { usePageQuery } from '../frame/use-page-query.js';
import { ListingTable } from '../listings/listing-table.js';
import { venueTime } from '../words/formats.js';
import { eventWords as words, listingsWords } from '../words/listings.js';

/** An event with its listings, and the way to its orders. */
export function EventPage() {
  const { id = '' } = useParams({ strict: false });
  const { data: event, error, isPending } = useQuery(eventQuery(id));
  const path = `listings?limit=100&event_id=${encodeURIComponent(id)}`;
  const list = usePageQuery<ListingList, ListingDocument>(path, ({ listings }) => listings);
  const isKnown = event != null || list.rows.length > 0;
  const title = event?.title ?? (isPending || list.isPending || isKnown ? id : words.notFound);
  return (
    <div className="page">
      <PageHead title={title} />
      {error && <Failure error={error} />}
      {!isPending && !event && <p className="soft section">{words.notFoundHint(id)}</p>}
      {event && (
        <p className="section">
          <span>
            {venueTime(event.datetime_local)} <span className="soft">{words.venueTime}</span>
            {event.venue?.name ? ` · ${event.venue.name}` : ''}
          </span>
          <Link to="/orders" search={{ event_id: id } as never}>
            {words.orders}
          </Link>
        </p>
      )}
      <section className="section">
        <h2>{words.listings}</h2>
        {list.error && <Failure error={list.error} />}
        <ListingTable listings={list.rows} loading={list.isPending} />
        {list.hasNextPage && (
          <button type="button" className="link-button" onClick={() => void list.fetchNextPage()}>
            {listingsWords.more}
          </button>
        )}
      </section>
    </div>
  );
}
