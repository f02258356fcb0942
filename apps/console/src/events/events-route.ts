import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../frame/lazy-part.js';
import { frameRoute } from '../frame/root-route.js';
import { type SearchParams, textOf, type Texts } from '../frame/search-params.js';

export const eventsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/events',
  validateSearch: ({ q, when }: SearchParams): Texts<'q' | 'when'> => ({ q: textOf(q), when: textOf(when) }),
  component: lazyPage(async () => (await import('./events-page.js')).EventsPage),
});
