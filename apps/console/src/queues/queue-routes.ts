import { createRoute } from '@tanstack/react-router';
import { lazyPage, lazyPart } from '../frame/lazy-part.js';
import { frameRoute } from '../frame/root-route.js';
import { textsOf } from '../frame/search-params.js';

const component = lazyPage(async () => (await import('./queue-page.js')).QueuePage);

const validateSearch = textsOf('snoozed', 'escalated', 'split', 'timeline');

/** The first queue. */
export const queuesRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/work',
  staticData: {
    navigation: {
      name: 'Queues',
      icon: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3 2',
      needs: 'orders:read',
      Count: lazyPart(async () => (await import('./open-orders.js')).OpenOrders),
      go: { key: 'q', words: 'Go to queues' },
    },
  },
  validateSearch,
  component,
});

export const queueRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/work/$id',
  validateSearch,
  component,
});
