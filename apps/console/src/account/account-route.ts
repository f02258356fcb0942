import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../frame/lazy-part.js';
import { frameRoute } from '../frame/root-route.js';

export const accountRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/account',
  component: lazyPage(async () => (await import('./account-page.js')).AccountPage),
});
