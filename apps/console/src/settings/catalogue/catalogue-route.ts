import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../frame/lazy-part.js';
import { frameRoute } from '../../frame/root-route.js';
import { type SearchParams, textOf, type Texts } from '../../frame/search-params.js';

export const catalogueRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings/catalogue',
  validateSearch: ({ edit }: SearchParams): Texts<'edit'> => ({ edit: textOf(edit) }),
  component: lazyPage(async () => (await import('./catalogue-page.js')).CataloguePage),
});
