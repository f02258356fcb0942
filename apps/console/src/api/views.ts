import { queryOptions } from '@tanstack/react-query';
import type { SavedView, SavedViewList } from '#desk/saved-view.contract';
import { ask } from './http.js';

export type { SavedView };
export type NewView = Omit<SavedView, 'id' | 'owner'>;

/** The person's own views and the shared ones, by name. */
export const viewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: async ({ signal }) => (await ask<SavedViewList>('views', { signal })).views,
  staleTime: 60_000,
});

export const addView = (body: NewView): Promise<SavedView> => ask('views', { method: 'POST', body });

export const replaceView = (id: string, body: NewView): Promise<SavedView> =>
  ask(`views/${encodeURIComponent(id)}`, { method: 'PUT', body });

export const removeView = (id: string): Promise<void> => ask(`views/${encodeURIComponent(id)}`, { method: 'DELETE' });
