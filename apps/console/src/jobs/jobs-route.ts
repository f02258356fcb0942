import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../frame/lazy-part.js';
import { frameRoute } from '../frame/root-route.js';
import { textsOf } from '../frame/search-params.js';

export const jobsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/jobs',
  staticData: {
    navigation: {
      name: 'Jobs',
      icon: 'M4 6h16M4 12h10M4 18h6M16 17l2.5 2.5L22 15',
      needs: 'runs:act',
    },
  },
  validateSearch: textsOf('job'),
  component: lazyPage(async () => (await import('./jobs-page.js')).JobsPage),
});
