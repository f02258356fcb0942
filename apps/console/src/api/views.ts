import { queryOptions } from '@tanstack/react-query';
import type { SavedView } from '#desk/saved-view.contract';
import { ask } from './http.js';

export type { SavedView };
export type NewView = Omit<SavedView, 'id' | 'owner'>;

/** The person's own views and the shared ones, by name. */
export const viewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: async ({ signal }) => (await ask('GET views', { signal })).views,
  staleTime: 60_000,
});

export const addView = (body: NewView): Promise<SavedView> => ask('POST views', { body });

export const replaceView = (id: string, body: NewView): Promise<SavedView> =>
  ask('PUT views/{id}', { path: { id }, body });

export const removeView = (id: string): Promise<void> => ask('DELETE views/{id}', { path: { id } });
