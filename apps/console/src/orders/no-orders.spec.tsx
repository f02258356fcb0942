// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { shown } from '../../test/shown.js';
import { NoOrders } from './listed-orders.js';
import { ordersWords as words } from './orders-words.js';

const filter = (field: 'queue' | 'status') => ({ field, op: '=', values: ['x'] }) as const;

describe('a list without orders', () => {
  it.each([
    [{ q: '', filters: [] }, words.emptyAtFirst],
    [{ q: '', filters: [filter('queue')] }, words.queueEmpty],
    [{ q: '', filters: [filter('status')] }, words.emptyHint],
    [{ q: 'ada', filters: [filter('queue')] }, words.emptyHint],
  ])('says why, for %j', (state, hint) => {
    shown(<NoOrders state={state} choice={{ hidden: undefined }} show={vi.fn()} />);
    expect(screen.getByText(hint)).toBeTruthy();
  });

  it('says what a search finds orders by', () => {
    shown(<NoOrders state={{ q: 'nobody', filters: [] }} choice={{ hidden: undefined }} show={vi.fn()} />);
    expect(screen.getByText('the last four digits of the card')).toBeTruthy();
  });

  it('takes all filters away, if there are any', () => {
    const show = vi.fn();
    shown(<NoOrders state={{ q: 'ada', filters: [] }} choice={{ hidden: undefined }} show={show} />);
    fireEvent.click(screen.getByRole('button', { name: words.clearFilters }));
    expect(show.mock.calls).toEqual([[{ q: '', filters: [] }]]);
  });
});
