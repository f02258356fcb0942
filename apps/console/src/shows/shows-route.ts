import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../frame/lazy-part.js';
import { frameRoute } from '../frame/root-route.js';
import { textsOf } from '../frame/search-params.js';

export const showsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/events',
  staticData: {
    navigation: {
      name: 'Shows',
      icon: 'M5 6h14v14H5zM5 10h14M9 3v4M15 3v4M9 14h2M13 14h2',
      needs: 'listings:read',
      go: { key: 'e', words: 'Go to shows' },
    },
  },
  validateSearch: textsOf('q', 'when'),
  component: lazyPage(async () => (await import('./shows-page.js')).ShowsPage),
});
