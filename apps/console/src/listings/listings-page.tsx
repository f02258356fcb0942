import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { may, sessionQuery } from '../api/session.js';
import { ListFilters } from '../frame/list-filters.js';
import { PageHead } from '../frame/page-head.js';
import { usePageQuery } from '../frame/use-page-query.js';
import { listingsWords as words } from './listing-words.js';
import { ImportDialog } from './import-dialog.js';
import { ListingForm } from './listing-form.js';
import { ListingTable } from './listing-table.js';
import { MoreButton } from '../frame/more-button.js';

const PAGE = 100;
const STATES = ['on_sale', 'sold_out', 'withdrawn'] as const;

export function ListingsPage() {
  const { data: session } = useQuery(sessionQuery);
  const navigate = useNavigate();
  const search = useSearch({ from: '/frame/listings' });
  const { q = '', state = '' } = search;
  const [open, setOpen] = useState<'new' | 'import' | null>(null);
  const query = { limit: PAGE, ...(q !== '' && { q }), state: STATES.find((one) => one === state) };
  const list = usePageQuery('GET listings', { query }, ({ listings }) => listings);
  return (
    <div className="page">
      <PageHead title={words.title}>
        {may(session, 'listings:write') && (
          <>
            <Button variant="default" onClick={() => setOpen('import')}>
              {words.import.open}
            </Button>
            <Button onClick={() => setOpen('new')}>{words.form.add}</Button>
          </>
        )}
      </PageHead>
      <ListFilters
        search={words.search}
        hint={words.searchHint}
        choice={{ label: words.state, options: Object.entries(words.states) }}
        q={q}
        chosen={state}
        onShow={(text, chosen) =>
          void navigate({ to: '/listings', search: { ...(text && { q: text }), ...(chosen && { state: chosen }) } })
        }
      />
      <ListingTable listings={list.rows} query={list} empty={q === '' && state === '' ? words.empty : words.none} />
      <MoreButton list={list}>{words.more}</MoreButton>
      {open === 'new' && <ListingForm listing={null} onClose={() => setOpen(null)} />}
      {open === 'import' && <ImportDialog onClose={() => setOpen(null)} />}
    </div>
  );
}
