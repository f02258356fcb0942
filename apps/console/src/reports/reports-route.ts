import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../frame/lazy-part.js';
import { frameRoute } from '../frame/root-route.js';
import { textsOf } from '../frame/search-params.js';

export const reportsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/reports',
  staticData: {
    navigation: {
      name: 'Reports',
      icon: 'M4 20h16M7 16v-4M12 16V6M17 16v-7',
      needs: 'orders:read',
      go: { key: 'r', words: 'Go to reports' },
    },
  },
  validateSearch: textsOf('days', 'by', 'from', 'to'),
  component: lazyPage(async () => (await import('./reports-page.js')).ReportsPage),
});
