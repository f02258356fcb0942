import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../frame/lazy-part.js';
import { frameRoute } from '../frame/root-route.js';
import { textsOf } from '../frame/search-params.js';

export const disputesRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/disputes',
  staticData: {
    navigation: {
      name: 'Disputes',
      icon: 'M12 4v16M8 20h8M5 7h14M5 7l-3 7h6zM19 7l-3 7h6z',
      needs: 'money:read',
      go: { key: 'i', words: 'Go to disputes' },
    },
  },
  validateSearch: textsOf('state', 'due'),
  component: lazyPage(async () => (await import('./disputes-page.js')).DisputesPage),
});

export const disputeRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/disputes/$id',
  component: lazyPage(async () => (await import('./dispute-page.js')).DisputePage),
});
