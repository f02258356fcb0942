import { createRoute } from '@tanstack/react-router';
import { frameRoute } from '../frame/root-route.js';
import type { SearchParams } from '../frame/search-params.js';
import type { OrdersSearch } from './list-address.js';
import { OrdersPage } from './orders-page.js';

export const ordersRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/orders',
  // `readAddress` reads it.
  validateSearch: (search: SearchParams): OrdersSearch => search,
  component: OrdersPage,
});
