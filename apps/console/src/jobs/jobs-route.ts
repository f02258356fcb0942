import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../frame/lazy-part.js';
import { frameRoute } from '../frame/root-route.js';
import { type SearchParams, textOf, type Texts } from '../frame/search-params.js';

export const jobsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/jobs',
  validateSearch: ({ job }: SearchParams): Texts<'job'> => ({ job: textOf(job) }),
  component: lazyPage(async () => (await import('./jobs-page.js')).JobsPage),
});
