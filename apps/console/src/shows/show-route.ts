import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../frame/lazy-part.js';
import { frameRoute } from '../frame/root-route.js';

export const showRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/events/$id',
  component: lazyPage(async () => (await import('./show-page.js')).ShowPage),
});
