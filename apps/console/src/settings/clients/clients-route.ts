import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../frame/lazy-part.js';
import { frameRoute } from '../../frame/root-route.js';

export const clientsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings/clients',
  staticData: {
    navigation: {
      name: 'Clients',
      icon: 'M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4',
      needs: 'admin',
      isSetting: true,
    },
  },
  component: lazyPage(async () => (await import('./clients-page.js')).ClientsPage),
});
