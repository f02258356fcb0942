import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../frame/lazy-part.js';
import { frameRoute } from '../frame/root-route.js';
import { type SearchParams, textOf, type Texts } from '../frame/search-params.js';

export const listingsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/listings',
  validateSearch: ({ q, state }: SearchParams): Texts<'q' | 'state'> => ({ q: textOf(q), state: textOf(state) }),
  component: lazyPage(async () => (await import('./listings-page.js')).ListingsPage),
});
