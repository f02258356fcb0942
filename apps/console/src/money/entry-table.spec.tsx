// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { afterEach, it, vi } from 'vitest';
import type { LedgerEntries } from '#money/ledger.contract';
import { serve } from '../../test/server.js';
import { shown } from '../../test/shown.js';
import { EntryTable } from './entry-table.js';

const PAYMENT: LedgerEntries['entries'][number] = {
  position: 7,
  order_id: null,
  event: 'SellerPaid',
  account: 'bank',
  currency: 'USD',
  amount: -12.5,
  at: '2026-11-27T10:00:00.000Z',
};
const LATER_MS = 10_000;

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('shows by itself what has come into the list a moment after it was recorded', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const page = (entries: LedgerEntries['entries']) => ({ 'GET ledger/entries': { entries, next_cursor: null } });
  serve(page([]));
  shown(<EntryTable account="bank" label="Bank" empty="Nothing yet" />);
  await screen.findByText('Nothing yet');
  serve(page([PAYMENT]));
  vi.advanceTimersByTime(LATER_MS);
  await screen.findByText('-$12.50');
});
