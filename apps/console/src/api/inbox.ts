import { queryOptions } from '@tanstack/react-query';
import { ask } from './http.js';

/** Live news may be missed. */
const EVERY_MS = 60_000;

/** How many notices the person has not read; 100 stands for more too. */
export const unreadQuery = queryOptions({
  queryKey: ['inbox', 'unread'],
  queryFn: async ({ signal }) => (await ask('GET inbox', { query: { limit: 1 }, signal })).unread,
  refetchInterval: EVERY_MS,
  retry: false,
});
