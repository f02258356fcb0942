import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../frame/lazy-part.js';
import { frameRoute } from '../frame/root-route.js';
import { textsOf } from '../frame/search-params.js';

export const moneyRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/money',
  staticData: {
    navigation: {
      name: 'Money',
      icon: 'M3 6h18v12H3zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM6 9.5v5M18 9.5v5',
      needs: 'money:read',
      go: { key: 'm', words: 'Go to money' },
    },
  },
  validateSearch: textsOf('tasks', 'kind', 'days', 'account', 'reconciliation'),
  component: lazyPage(async () => (await import('./money-page.js')).MoneyPage),
});
