import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../frame/lazy-part.js';
import { frameRoute } from '../frame/root-route.js';

export const eventRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/events/$id',
  component: lazyPage(async () => (await import('./event-page.js')).EventPage),
});
