import { queryOptions } from '@tanstack/react-query';
import { ask } from './http.js';

/** The statuses in use. */
export const statusCatalogueQuery = queryOptions({
  queryKey: ['status-catalogue'],
  queryFn: ({ signal }) => ask('GET status-catalogue', { signal }),
});
