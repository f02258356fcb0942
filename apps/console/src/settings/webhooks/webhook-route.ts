import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../frame/lazy-part.js';
import { frameRoute } from '../../frame/root-route.js';

export const webhookRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings/webhooks/$id',
  component: lazyPage(async () => (await import('./webhook-page.js')).WebhookPage),
});
