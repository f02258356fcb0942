import { queryOptions } from '@tanstack/react-query';
import type { StatusCatalogueView } from '#orders/status-catalogue.contract';
import { ask } from './http.js';

/** The statuses in use. */
export const statusCatalogueQuery = queryOptions({
  queryKey: ['status-catalogue'],
  queryFn: ({ signal }) => ask<StatusCatalogueView>('status-catalogue', { signal }),
});
