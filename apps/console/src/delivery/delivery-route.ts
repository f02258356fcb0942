import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../frame/lazy-part.js';
import { frameRoute } from '../frame/root-route.js';
import { type SearchParams, textOf, type Texts } from '../frame/search-params.js';

export const deliveryRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/delivery',
  validateSearch: ({ endpoint, hours }: SearchParams): Texts<'endpoint' | 'hours'> => ({
    endpoint: textOf(endpoint),
    hours: textOf(hours),
  }),
  component: lazyPage(async () => (await import('./delivery-page.js')).DeliveryPage),
});
