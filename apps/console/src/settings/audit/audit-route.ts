import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../frame/lazy-part.js';
import { frameRoute } from '../../frame/root-route.js';
import { type SearchParams, textOf, type Texts } from '../../frame/search-params.js';

export const auditRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings/audit',
  validateSearch: ({
    actor,
    action,
    subject,
    from,
    to,
  }: SearchParams): Texts<'actor' | 'action' | 'subject' | 'from' | 'to'> => ({
    actor: textOf(actor),
    action: textOf(action),
    subject: textOf(subject),
    from: textOf(from),
    to: textOf(to),
  }),
  component: lazyPage(async () => (await import('./audit-page.js')).AuditPage),
});
