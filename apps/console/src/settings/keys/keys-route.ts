import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../frame/lazy-part.js';
import { frameRoute } from '../../frame/root-route.js';

export const keysRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings/keys',
  component: lazyPage(async () => (await import('./keys-page.js')).KeysPage),
});
