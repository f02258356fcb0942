import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../frame/lazy-part.js';
import { frameRoute } from '../../frame/root-route.js';

export const webhooksRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings/webhooks',
  staticData: {
    navigation: {
      name: 'Webhooks',
      icon: 'M4 12h10M10 7l5 5-5 5M19 4v16',
      needs: 'delivery:read',
      isSetting: true,
    },
  },
  component: lazyPage(async () => (await import('./webhooks-page.js')).WebhooksPage),
});
