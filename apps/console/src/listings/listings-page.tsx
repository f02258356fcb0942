import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { may, sessionQuery } from '../api/session.js';
import { PageHead } from '../frame/page-head.js';
import { usePageQuery } from '../frame/use-page-query.js';
import { listingsWords as words } from './listing-words.js';
import { ImportDialog } from './import-dialog.js';
import { ListingForm } from './listing-form.js';
import { type ListingFilter, ListingFilters, listingQueryOf } from './listing-filters.js';
import { ListingSelection } from './listing-selection.js';
import { ListingTable } from './listing-table.js';
import { MoreButton } from '../frame/more-button.js';

const PAGE = 100;
const NONE: ReadonlySet<string> = new Set();

export function ListingsPage() {
  const { data: session } = useQuery(sessionQuery);
  const navigate = useNavigate({ from: '/listings' });
  const search = useSearch({ from: '/frame/listings' });
  const mayWrite = may(session, 'listings:write');
  const [open, setOpen] = useState<'new' | 'import' | null>(null);
  const [selected, setSelected] = useState(NONE);
  const query = { limit: PAGE, ...listingQueryOf(search) };
  const list = usePageQuery('GET listings', { query }, ({ listings }) => listings);
  return (
    <div className="page">
      <PageHead title={words.title}>
        {mayWrite && (
          <>
            <Button variant="default" onClick={() => setOpen('import')}>
              {words.import.open}
            </Button>
            <Button onClick={() => setOpen('new')}>{words.form.add}</Button>
          </>
        )}
      </PageHead>
      <ListingFilters
        asked={search}
        sellers={[...new Set(list.rows.flatMap(({ seller }) => seller ?? []))]}
        onShow={(change) => {
          setSelected(NONE);
          void navigate({ to: '/listings', search: (before) => filled({ ...before, ...change }) });
        }}
      />
      <ListingTable
        listings={list.rows}
        query={list}
        empty={Object.keys(filled(search)).length === 0 ? words.empty : words.none}
        selection={mayWrite ? { selected, onSelect: setSelected } : undefined}
      />
      <MoreButton list={list}>{words.more}</MoreButton>
      {mayWrite && (
        <ListingSelection
          listings={list.rows}
          selected={selected}
          onSelect={setSelected}
          isOff={list.isPlaceholderData}
        />
      )}
      {open === 'new' && <ListingForm listing={null} onClose={() => setOpen(null)} />}
      {open === 'import' && <ImportDialog onClose={() => setOpen(null)} />}
    </div>
  );
}

const filled = (filter: ListingFilter): ListingFilter =>
  Object.fromEntries(Object.entries(filter).filter(([, text]) => text));
