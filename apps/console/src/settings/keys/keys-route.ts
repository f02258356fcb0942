import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../frame/lazy-part.js';
import { frameRoute } from '../../frame/root-route.js';

export const keysRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings/keys',
  staticData: {
    navigation: {
      name: 'API keys',
      icon: 'M8 4H4v4M16 4h4v4M8 20H4v-4M16 20h4v-4M9 12h6M12 9v6',
      needs: 'admin',
      isSetting: true,
    },
  },
  component: lazyPage(async () => (await import('./keys-page.js')).KeysPage),
});
