import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import type { OrderCondition } from '../api/orders.js';
import { type SavedView, viewsQuery } from '../api/views.js';
import { type ListState, writeAddress } from './list-address.js';
import { hiddenConditionOf, isSameList, stateOfView } from './view-state.js';

export type ViewChoice = Readonly<{
  views: readonly SavedView[];
  current: SavedView | undefined;
  /** The part of the current view that the filters cannot show. */
  hidden: OrderCondition | undefined;
  /** The list no longer shows what the view was saved with. */
  isChanged: boolean;
  /** The address names a view that this person cannot see. */
  isUnknown: boolean;
  /** False until the view of the address is loaded. */
  isReady: boolean;
}>;

/** The view of the address. An address that names only the view is replaced by the full address of what the view shows. */
export function useViews(state: ListState): ViewChoice {
  const navigate = useNavigate();
  const { data: views, error } = useQuery(viewsQuery);
  const current = views?.find(({ id }) => id === state.view);
  const hidden = useMemo(() => hiddenConditionOf(current), [current]);
  const isBare = Object.keys(writeAddress(state)).join() === 'view';
  const opened = current && stateOfView(current);
  const expands = isBare && opened !== undefined && !isSameList(opened, state);
  useEffect(() => {
    if (opened && expands) void navigate({ to: '/orders', search: writeAddress(opened), replace: true });
  }, [expands]);
  const isChanged = opened !== undefined && !expands && !isSameList(opened, state);
  const isUnknown = state.view !== null && views !== undefined && !current;
  const isReady = state.view === null || error !== null || (views !== undefined && !expands);
  return useMemo(
    () => ({ views: views ?? [], current, hidden, isChanged, isUnknown, isReady }),
    [views, current, hidden, isChanged, isUnknown, isReady],
  );
}
