import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../frame/lazy-part.js';
import { frameRoute } from '../frame/root-route.js';
import { type SearchParams, textOf, type Texts } from '../frame/search-params.js';

export const reportsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/reports',
  validateSearch: ({ days, by, from, to }: SearchParams): Texts<'days' | 'by' | 'from' | 'to'> => ({
    days: textOf(days),
    by: textOf(by),
    from: textOf(from),
    to: textOf(to),
  }),
  component: lazyPage(async () => (await import('./reports-page.js')).ReportsPage),
});
