import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../frame/lazy-part.js';
import { frameRoute } from '../frame/root-route.js';

export const inboxRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/notices',
  component: lazyPage(async () => (await import('./inbox-page.js')).InboxPage),
});
