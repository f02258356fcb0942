import { queryOptions } from '@tanstack/react-query';
import { ask } from '../api/http.js';

/** What each role may do, from the table that the api guards its routes by. */
export const rolesQuery = queryOptions({
  queryKey: ['roles'],
  queryFn: ({ signal }) => ask('GET roles', { signal }),
  staleTime: Infinity,
});
