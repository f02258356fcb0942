import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../frame/lazy-part.js';
import { frameRoute } from '../../frame/root-route.js';
import { textsOf } from '../../frame/search-params.js';

export const auditRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings/audit',
  staticData: {
    navigation: {
      name: 'Audit log',
      icon: 'M6 3h9l4 4v14H6zM14 3v5h5M9 13h6M9 17h6',
      needs: 'audit:read',
      isSetting: true,
      go: { key: 'a', words: 'Go to the audit log' },
    },
  },
  validateSearch: textsOf('actor', 'action', 'subject', 'from', 'to'),
  component: lazyPage(async () => (await import('./audit-page.js')).AuditPage),
});
