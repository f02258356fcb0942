import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../frame/lazy-part.js';
import { frameRoute } from '../frame/root-route.js';
import { textsOf } from '../frame/search-params.js';

export const deliveryRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/delivery',
  staticData: {
    navigation: {
      name: 'Delivery',
      icon: 'M4 12h4l3-7 3 14 3-7h3',
      needs: 'delivery:read',
      go: { key: 'd', words: 'Go to delivery' },
    },
  },
  validateSearch: textsOf('endpoint', 'hours'),
  component: lazyPage(async () => (await import('./delivery-page.js')).DeliveryPage),
});
