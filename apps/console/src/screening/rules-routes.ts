import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../frame/lazy-part.js';
import { frameRoute } from '../frame/root-route.js';

export const policiesRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings/policies',
  component: lazyPage(async () => (await import('./rules-page.js')).PoliciesPage),
});

export const fraudRulesRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings/fraud-rules',
  component: lazyPage(async () => (await import('./rules-page.js')).FraudRulesPage),
});
