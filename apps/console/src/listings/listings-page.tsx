import { Button } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { ListingDocument } from '#contracts/backoffice/listing';
import type { ListingList } from '#contracts/backoffice/listing-list';
import { Failure } from '../frame/failure.js';
import { PageHead } from '../frame/page-head.js';
import { usePageQuery } from '../frame/use-page-query.js';
import { listingsWords as words } from '../words/listings.js';
import { ListingTable } from './listing-table.js';

const PAUSE_MS = 250;
const PAGE = 100;

export function ListingsPage() {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const text = (name: string) => (typeof search[name] === 'string' ? search[name] : '');
  const [q, state] = [text('q'), text('state')];
  const [typed, setTyped] = useState(q);
  const show = (change: { q?: string; state?: string }) => {
    const next = { q, state, ...change };
    const filled = Object.entries(next).filter(([, value]) => value !== '');
    void navigate({ to: '/listings', search: Object.fromEntries(filled) as never });
  };
  useEffect(() => {
    if (typed.trim() === q) return undefined;
    const timer = setTimeout(() => show({ q: typed.trim() }), PAUSE_MS);
    return () => clearTimeout(timer);
    // Typing starts the pause, nothing else.
  }, [typed]);
  const query = new URLSearchParams({ limit: `${PAGE}`, ...(q !== '' && { q }), ...(state !== '' && { state }) });
  const list = usePageQuery<ListingList, ListingDocument>(`listings?${query.toString()}`, ({ listings }) => listings);
  return (
    <div className="page">
      <PageHead title={words.title} />
      <div className="filters">
        <input
          type="search"
          aria-label={words.search}
          placeholder={words.searchHint}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <select
          aria-label={words.state}
          value={state}
          onChange={({ currentTarget }) => show({ state: currentTarget.value })}
        >
          {Object.entries(words.states).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </div>
      {list.error && <Failure error={list.error} retry={() => void list.refetch()} />}
      <ListingTable listings={list.rows} loading={list.isPending} />
      {list.hasNextPage && (
        <div className="row">
          <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {words.more}
          </Button>
        </div>
      )}
    </div>
  );
}
