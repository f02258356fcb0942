import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../frame/lazy-part.js';
import { frameRoute } from '../../frame/root-route.js';

export const operatorsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings/operators',
  component: lazyPage(async () => (await import('./operators-page.js')).OperatorsPage),
});
