// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { SavedView } from '../api/views.js';
import { shown } from '../../test/shown.js';
import type { ListState } from './list-address.js';
import type { ViewChoice } from './use-views.js';
import { EMPTY } from './view-state.js';
import { ViewTabs } from './view-tabs.js';

const VIEW: SavedView = {
  id: 'viw_1',
  name: 'Big ones',
  owner: 'operator:opr_1',
  shared: false,
  where: null,
  q: null,
  sort: 'placed_at.desc',
  query: 'total=gte:100',
  columns: [],
};
const NONE: ViewChoice = {
  views: [],
  current: undefined,
  hidden: undefined,
  isChanged: false,
  isUnknown: false,
  isReady: true,
};
const tabs = (state: Partial<ListState>, choice: Partial<ViewChoice> = {}) =>
  shown(<ViewTabs state={{ ...EMPTY, ...state }} choice={{ ...NONE, ...choice }} onShow={vi.fn()} />);
const current = () => screen.getAllByRole('link', { current: true }).map((link) => link.textContent);
const queue = (...values: readonly string[]) => ({ filters: [{ field: 'queue', op: '=', values } as const] });

describe('the tabs above the orders', () => {
  it('mark the whole list, or the queue that the filters are', () => {
    tabs({});
    expect(current()).toEqual(['All']);
    expect(screen.queryByText('Save view')).toBeNull();
  });

  it('mark the queue that the filters are, whatever the order of the list', () => {
    tabs({ ...queue('to_ship'), sort: 'total.desc' });
    expect(current()).toEqual(['To ship']);
  });

  it('write each into its address', () => {
    tabs({}, { views: [VIEW] });
    expect(screen.getByText('To ship').getAttribute('href')).toBe('/orders?queue=to_ship');
    expect(screen.getByText('Big ones').getAttribute('href')).toBe('/orders?total=gte:100&view=viw_1');
  });

  it('put the fifth view into a menu, unless it is open', () => {
    const views = [1, 2, 3, 4, 5].map((number) => ({ ...VIEW, id: `viw_${number}`, name: `View ${number}` }));
    tabs({}, { views });
    expect(screen.queryByRole('link', { name: 'View 5' })).toBeNull();
    tabs({ view: 'viw_5' }, { views, current: views[4] });
    expect(screen.getByRole('link', { name: 'View 5', current: true })).toBeTruthy();
  });

  it('offer to save changes of an own view, and a copy of somebody else’s', () => {
    tabs({ view: 'viw_1' }, { views: [VIEW], current: VIEW, isChanged: true });
    expect(screen.getByText('Save changes')).toBeTruthy();
    const others = { ...VIEW, id: 'viw_2', owner: 'operator:opr_9' };
    tabs({ view: 'viw_2' }, { views: [others], current: others, isChanged: true });
    expect(screen.getByText('Save view')).toBeTruthy();
  });
});
