import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../frame/lazy-part.js';
import { frameRoute } from '../../frame/root-route.js';

export const clientsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings/clients',
  component: lazyPage(async () => (await import('./clients-page.js')).ClientsPage),
});
