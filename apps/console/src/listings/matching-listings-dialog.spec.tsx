// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { refusal, serve } from '../../test/server.js';
import { shown } from '../../test/shown.js';
import { bulkWords as words } from './bulk-words.js';
import { MatchingListingsDialog } from './matching-listings-dialog.js';

type Page = Readonly<{ query: Readonly<Record<string, string>> }>;

const question = { q: 'floor', state: undefined };

it('all listings that match are read page by page, sorted so that none moves', async () => {
  const asked = serve({
    'GET listings': ({ query: { cursor } }: Page) =>
      cursor === undefined
        ? { listings: [{ listing_id: 'a' }, { listing_id: 'b' }], next_cursor: 'more' }
        : { listings: [{ listing_id: 'c' }], next_cursor: null },
  });
  const onRead = vi.fn();
  shown(<MatchingListingsDialog question={question} onRead={onRead} onClose={vi.fn()} />);
  await waitFor(() => expect(onRead).toHaveBeenCalled());
  expect(onRead).toHaveBeenCalledExactlyOnceWith([{ listing_id: 'a' }, { listing_id: 'b' }, { listing_id: 'c' }]);
  const first = { q: 'floor', sort: 'listing_id.asc', limit: '200' };
  expect(asked.map(({ query }) => query)).toEqual([first, { ...first, cursor: 'more' }]);
});

it('a page that does not come is said, with how many were found before', async () => {
  serve({
    'GET listings': ({ query: { cursor } }: Page) =>
      cursor === undefined
        ? { listings: [{ listing_id: 'a' }], next_cursor: 'more' }
        : refusal(503, 50300, 'Try again later'),
  });
  const onRead = vi.fn();
  shown(<MatchingListingsDialog question={question} onRead={onRead} onClose={vi.fn()} />);
  await screen.findByRole('alert');
  screen.getByText(words.counting(1));
  expect(onRead).not.toHaveBeenCalled();
});

it('nothing that matches asks nothing', async () => {
  serve({ 'GET listings': { listings: [], next_cursor: null } });
  const [onRead, onClose] = [vi.fn(), vi.fn()];
  shown(<MatchingListingsDialog question={question} onRead={onRead} onClose={onClose} />);
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(onRead).not.toHaveBeenCalled();
});
