import { Link } from '@tanstack/react-router';
import type { ListingDocument } from '#listings/listing.contract';
import { useShow } from '../api/show-names.js';
import { type Asked, DataTable } from '../frame/data-table.js';
import { SelectBox } from '../frame/select-box.js';
import { SpeculativeMark } from '../frame/speculative-mark.js';
import type { Selection } from '../frame/use-selection.js';
import { money, number } from '../words/formats.js';
import { selection as selectionWords } from '../words/selection.js';
import { bulkWords } from './bulk-words.js';
import { listingsWords as words } from './listing-words.js';

type Props = Readonly<{
  listings: readonly ListingDocument[];
  query: Asked;
  empty: string;
  isOfOneShow?: boolean;
  /** For those who may change several at once. */
  selection?: Selection | undefined;
  active?: number;
}>;

export function ListingTable({ listings, query, empty, isOfOneShow = false, selection, active = -1 }: Props) {
  const { column } = words;
  return (
    <DataTable
      label={words.title}
      rows={listings}
      keyOf={({ listing_id }) => listing_id}
      empty={empty}
      query={query}
      active={active}
      columns={[
        {
          id: 'id',
          name: column.id,
          cell: ({ listing_id }) => (
            <Link className="mono" to="/listings/$id" params={{ id: listing_id }}>
              {listing_id}
            </Link>
          ),
        },
        { id: 'state', name: column.state, cell: (listing) => <ListingState listing={listing} /> },
        ...(isOfOneShow ? [] : [{ id: 'show', name: column.show, cell: showOf }]),
        { id: 'seats', name: column.seats, cell: ({ section, row }) => `${section} · ${row}` },
        { id: 'left', name: column.left, end: true, cell: ({ quantity }) => number(quantity) },
        { id: 'held', name: column.held, end: true, cell: ({ held }) => number(held) },
        { id: 'price', name: column.price, end: true, cell: ({ price }) => money(price) },
        { id: 'fees', name: column.fees, end: true, cell: ({ fees }) => money(fees) },
        ...(selection ? [selectColumn(listings, selection)] : []),
      ]}
    />
  );
}

function selectColumn(listings: readonly ListingDocument[], { selected, setSelected, toggle }: Selection) {
  const areAll = listings.every(({ listing_id: id }) => selected.has(id));
  const all = listings.map(({ listing_id: id }) => id);
  return {
    id: 'select',
    name: '',
    end: true,
    head: (
      <SelectBox name={bulkWords.selectAll} checked={areAll} onSelect={() => setSelected(new Set(areAll ? [] : all))} />
    ),
    cell: ({ listing_id: id }: ListingDocument) => (
      <SelectBox
        name={selectionWords.select(id)}
        checked={selected.has(id)}
        onSelect={(isRange) => toggle(id, isRange)}
      />
    ),
  };
}

const showOf = ({ event_id: id }: ListingDocument) => <ShowLink showId={id} />;

export function ListingState({ listing: { state, speculative } }: Readonly<{ listing: ListingDocument }>) {
  return (
    <>
      <span className={`status ${words.tone[state]}`}>
        <span>{words.states[state]}</span>
      </span>{' '}
      {speculative && <SpeculativeMark />}
    </>
  );
}

export function ShowLink({ showId }: Readonly<{ showId: string }>) {
  const show = useShow(showId);
  return (
    <Link to="/events/$id" params={{ id: showId }}>
      {show?.title ?? showId}
    </Link>
  );
}
