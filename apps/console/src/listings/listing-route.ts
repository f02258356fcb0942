import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../frame/lazy-part.js';
import { frameRoute } from '../frame/root-route.js';

export const listingRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/listings/$id',
  component: lazyPage(async () => (await import('./listing-page.js')).ListingPage),
});
