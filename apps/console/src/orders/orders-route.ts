import { createRoute } from '@tanstack/react-router';
import { frameRoute } from '../frame/root-route.js';
import type { SearchParams } from '../frame/search-params.js';
import type { OrdersSearch } from './list-address.js';
import { OrdersPage } from './orders-page.js';

export const ordersRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/orders',
  staticData: {
    navigation: {
      name: 'Orders',
      icon: 'M5 4h14v16l-3-2-2 2-2-2-2 2-2-2-3 2zM9 9h6M9 13h6',
      needs: 'orders:read',
      go: { key: 'o', words: 'Go to orders' },
    },
  },
  // `readAddress` reads it.
  validateSearch: (search: SearchParams): OrdersSearch => search,
  component: OrdersPage,
});
