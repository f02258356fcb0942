import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../frame/lazy-part.js';
import { frameRoute } from '../../frame/root-route.js';
import { type SearchParams, textOf, type Texts } from '../../frame/search-params.js';

export const projectionsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings/projections',
  validateSearch: ({ run }: SearchParams): Texts<'run'> => ({ run: textOf(run) }),
  component: lazyPage(async () => (await import('./projections-page.js')).ProjectionsPage),
});
