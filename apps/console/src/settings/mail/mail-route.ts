import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../frame/lazy-part.js';
import { frameRoute } from '../../frame/root-route.js';
import { textsOf } from '../../frame/search-params.js';

export const mailRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings/mail',
  staticData: {
    navigation: { name: 'E-mail', icon: 'M3 6h18v12H3zM3 7l9 7 9-7', needs: 'admin', isSetting: true },
  },
  validateSearch: textsOf('mail', 'width'),
  component: lazyPage(async () => (await import('./mail-page.js')).MailPage),
});
