import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { may, sessionQuery } from '../api/session.js';
import { PageHead } from '../frame/page-head.js';
import { rowKeys } from '../frame/row-keys.js';
import { ShortcutList } from '../frame/shortcut-list.js';
import { useSelection } from '../frame/use-selection.js';
import { useShortcuts } from '../frame/use-shortcuts.js';
import { usePageQuery } from '../frame/use-page-query.js';
import { listingsWords as words } from './listing-words.js';
import { ImportDialog } from './import-dialog.js';
import { ListingForm } from './listing-form.js';
import { type ListingFilter, ListingFilters, listingQueryOf } from './listing-filters.js';
import { ListingSelection } from './listing-selection.js';
import { ListingTable } from './listing-table.js';
import { MoreButton } from '../frame/more-button.js';

const PAGE = 100;

export function ListingsPage() {
  const { data: session } = useQuery(sessionQuery);
  const navigate = useNavigate({ from: '/listings' });
  const search = useSearch({ from: '/frame/listings' });
  const mayWrite = may(session, 'listings:write');
  const [open, setOpen] = useState<'new' | 'import' | null>(null);
  const [helpOpen, setHelpOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const question = listingQueryOf(search);
  const query = { limit: PAGE, ...question };
  const list = usePageQuery('GET listings', { query }, ({ listings }) => listings);
  const selection = useSelection(list.rows.map(({ listing_id: id }) => id));
  const asked = JSON.stringify(question);
  useEffect(() => {
    setActive(-1);
    selection.setSelected(new Set());
  }, [asked]);
  const withActive = (act: (id: string) => void) => {
    const id = list.rows[active]?.listing_id;
    if (id !== undefined && !list.isPlaceholderData) act(id);
  };
  useShortcuts({
    ...rowKeys({
      count: list.rows.length,
      active,
      move: setActive,
      open: () => withActive((id) => void navigate({ to: '/listings/$id', params: { id } })),
      select: (isRange) => withActive((id) => mayWrite && selection.toggle(id, isRange)),
    }),
    '?': () => setHelpOpen(true),
  });
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
          void navigate({ to: '/listings', search: (before) => filled({ ...before, ...change }) });
        }}
      />
      <ListingTable
        listings={list.rows}
        query={list}
        empty={Object.keys(filled(search)).length === 0 ? words.empty : words.none}
        active={active}
        selection={mayWrite ? selection : undefined}
      />
      <MoreButton list={list}>{words.more}</MoreButton>
      {mayWrite && (
        <ListingSelection
          listings={list.rows}
          question={question}
          hasMore={list.hasNextPage}
          selection={selection}
          isOff={list.isPlaceholderData}
        />
      )}
      <ShortcutList keys={words.keys} opened={helpOpen} onClose={() => setHelpOpen(false)} />
      {open === 'new' && <ListingForm listing={null} onClose={() => setOpen(null)} />}
      {open === 'import' && <ImportDialog onClose={() => setOpen(null)} />}
    </div>
  );
}

const filled = (filter: ListingFilter): ListingFilter =>
  Object.fromEntries(Object.entries(filter).filter(([, text]) => text));
