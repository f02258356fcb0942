import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../frame/lazy-part.js';
import { frameRoute } from '../frame/root-route.js';

/** The id is that of any order of the buyer. */
export const buyerRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/buyers/$id',
  component: lazyPage(async () => (await import('./buyer-page.js')).BuyerPage),
});
