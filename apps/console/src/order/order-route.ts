import { createRoute } from '@tanstack/react-router';
import { frameRoute } from '../frame/root-route.js';
import { type SearchParams, textOf, type Texts } from '../frame/search-params.js';
import { OrderPage } from './order-page.js';

export const orderRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/orders/$id',
  validateSearch: ({ version, compare, timeline }: SearchParams): Texts<'version' | 'compare' | 'timeline'> => ({
    version: textOf(version),
    compare: textOf(compare),
    timeline: textOf(timeline),
  }),
  component: OrderPage,
});
