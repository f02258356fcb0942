import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../frame/lazy-part.js';
import { frameRoute } from '../../frame/root-route.js';

export const tokensRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings/tokens',
  component: lazyPage(async () => (await import('./tokens-page.js')).TokensPage),
});
