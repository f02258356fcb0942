import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../frame/lazy-part.js';
import { frameRoute } from '../../frame/root-route.js';
import { textsOf } from '../../frame/search-params.js';

export const projectionsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings/projections',
  staticData: {
    navigation: {
      name: 'Projections',
      icon: 'M12 4l8 4-8 4-8-4zM4 12l8 4 8-4M4 16l8 4 8-4',
      needs: 'delivery:read',
      isSetting: true,
    },
  },
  validateSearch: textsOf('run'),
  component: lazyPage(async () => (await import('./projections-page.js')).ProjectionsPage),
});
