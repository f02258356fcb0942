import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../frame/lazy-part.js';
import { frameRoute } from '../../frame/root-route.js';

export const operatorsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings/operators',
  staticData: {
    navigation: {
      name: 'Operators',
      icon: 'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20c0-3.5 2.5-5.5 6-5.5s6 2 6 5.5M16 4.5a3.5 3.5 0 0 1 0 6.5M18 15c2 .7 3 2.5 3 5',
      needs: 'admin',
      isSetting: true,
    },
  },
  component: lazyPage(async () => (await import('./operators-page.js')).OperatorsPage),
});
