import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../frame/lazy-part.js';
import { frameRoute } from '../frame/root-route.js';

export const policiesRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings/policies',
  staticData: {
    navigation: {
      name: 'Policies',
      icon: 'M5 12l4 4L19 6M5 20h14',
      needs: 'runs:act',
      isSetting: true,
    },
  },
  component: lazyPage(async () => (await import('./rules-page.js')).PoliciesPage),
});

export const fraudRulesRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings/fraud-rules',
  staticData: {
    navigation: {
      name: 'Fraud rules',
      icon: 'M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6zM12 8v5M12 16h.01',
      needs: 'runs:act',
      isSetting: true,
    },
  },
  component: lazyPage(async () => (await import('./rules-page.js')).FraudRulesPage),
});
