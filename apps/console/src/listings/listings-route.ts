import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../frame/lazy-part.js';
import { frameRoute } from '../frame/root-route.js';
import { textsOf } from '../frame/search-params.js';

export const listingsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/listings',
  staticData: {
    navigation: {
      name: 'Listings',
      icon: 'M4 8a2 2 0 0 0 0 4v4h16v-4a2 2 0 0 1 0-4V4H4zM14 5v2M14 10v2M14 14v1',
      needs: 'listings:read',
      go: { key: 'l', words: 'Go to listings' },
    },
  },
  validateSearch: textsOf('q', 'state', 'seller', 'from', 'to'),
  component: lazyPage(async () => (await import('./listings-page.js')).ListingsPage),
});
