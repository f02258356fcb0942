import { describe, expect, it } from 'vitest';
import type { SavedView } from '../api/views.js';
import { whereOf } from './order-condition.js';
import { filtersOf, hiddenConditionOf, isSameList, stateOfView, viewBody } from './view-state.js';

const NOW = new Date('2026-11-22T12:00:00');
const VIEW: SavedView = {
  id: 'viw_1',
  name: 'Mine',
  owner: 'operator:1',
  shared: false,
  where: null,
  q: null,
  sort: 'placed_at.desc',
  query: null,
  columns: [],
};
const saved = (view: Partial<SavedView>): SavedView => ({ ...VIEW, ...view });

describe('a saved view', () => {
  it.each([
    { field: 'status', op: '=', value: 'pending' },
    { field: 'status', op: 'in', value: ['pending', 'exception'] },
    {
      and: [
        { field: 'total', op: '>=', value: 99.5 },
        { field: 'seller', op: 'is_null', value: false },
        { field: 'ref_id', op: 'starts_with', value: 'A&B' },
      ],
    },
  ])('shows its condition as filters that mean the same: %j', (where) => {
    expect(whereOf(filtersOf(where) ?? [], NOW)).toEqual(where);
    expect(hiddenConditionOf(saved({ where }))).toBeUndefined();
  });

  it.each([
    { or: [{ field: 'status', op: '=', value: 'pending' }] },
    { and: [{ not: { field: 'status', op: '=', value: 'pending' } }] },
    { field: 'ref_id', op: '=', value: 'a,b' },
    { field: 'ref_id', op: '=', value: 'ne:b' },
    { field: 'ref_id', op: 'in', value: ['a,b', 'c'] },
  ])('keeps a condition that filters cannot say: %j', (where) => {
    expect(filtersOf(where)).toBeNull();
    expect(hiddenConditionOf(saved({ where }))).toEqual(where);
  });

  it.each([{ field: 'mood', op: '=', value: 'good' }, { and: [{ field: 'total', op: '~', value: 1 }] }, { or: 'all' }])(
    'is not opened without a condition that the page does not know: %j',
    (where) => {
      expect(() => hiddenConditionOf(saved({ where }))).toThrow('viw_1');
    },
  );

  it('is saved with its relative days, and opens as it was', () => {
    const state = {
      q: 'ada',
      filters: [{ field: 'placed_at', op: '>=', values: ['-7d'] }],
      sort: 'total.desc',
      columns: ['total', 'tags'],
      view: null,
    } as const;
    const body = viewBody({ name: 'Week', shared: true }, state, undefined, NOW);
    expect(body).toMatchObject({ name: 'Week', shared: true, q: 'ada', query: 'placed_at=gte:-7d' });
    expect(body.where).toEqual({ field: 'placed_at', op: '>=', value: new Date('2026-11-15T00:00:00').toISOString() });
    const opened = stateOfView(saved(body));
    expect(opened).toEqual({ ...state, view: 'viw_1' });
    expect(isSameList(opened, state)).toBe(true);
    expect(isSameList(opened, { ...state, q: '' })).toBe(false);
  });

  it('keeps a condition that it cannot show when filters are added', () => {
    const hidden = hiddenConditionOf(saved({ where: { or: [{ field: 'status', op: '=', value: 'pending' }] } }));
    const filters = [{ field: 'seller', op: '=', values: ['s-1'] }] as const;
    const state = { q: '', filters, sort: 'placed_at.desc', columns: [], view: 'viw_1' } as const;
    expect(viewBody({ name: 'x', shared: false }, state, hidden, NOW)).toMatchObject({
      where: { and: [hidden, { field: 'seller', op: '=', value: 's-1' }] },
      query: null,
    });
  });
});
