import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../frame/lazy-part.js';
import { frameRoute } from '../../frame/root-route.js';

export const tokensRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings/tokens',
  staticData: {
    navigation: {
      name: 'API tokens',
      icon: 'M15 9a4 4 0 1 1-4-4 4 4 0 0 1 4 4zM10 13l-6 6v2h3l1-2h2v-2l2-2',
      needs: 'admin',
      isSetting: true,
    },
  },
  component: lazyPage(async () => (await import('./tokens-page.js')).TokensPage),
});
