import { createRoute } from '@tanstack/react-router';
import { frameRoute } from '../frame/root-route.js';
import { textsOf } from '../frame/search-params.js';
import { OrderPage } from './order-page.js';

export const orderRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/orders/$id',
  validateSearch: textsOf('version', 'compare', 'timeline'),
  component: OrderPage,
});
