import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../frame/lazy-part.js';
import { frameRoute } from '../../frame/root-route.js';

export const webhooksRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings/webhooks',
  component: lazyPage(async () => (await import('./webhooks-page.js')).WebhooksPage),
});
