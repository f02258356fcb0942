import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../frame/lazy-part.js';
import { frameRoute } from '../../frame/root-route.js';
import { textsOf } from '../../frame/search-params.js';

export const statusesRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings/catalogue',
  staticData: {
    navigation: {
      name: 'Statuses',
      icon: 'M6 6h.01M10 6h10M6 12h.01M10 12h10M6 18h.01M10 18h10',
      needs: 'orders:read',
      isSetting: true,
    },
  },
  validateSearch: textsOf('edit'),
  component: lazyPage(async () => (await import('./statuses-page.js')).StatusesPage),
});
