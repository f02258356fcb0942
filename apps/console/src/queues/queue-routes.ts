import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../frame/lazy-part.js';
import { frameRoute } from '../frame/root-route.js';
import { type SearchParams, textOf, type Texts } from '../frame/search-params.js';

const component = lazyPage(async () => (await import('./queue-page.js')).QueuePage);

const validateSearch = ({ snoozed, escalated }: SearchParams): Texts<'snoozed' | 'escalated'> => ({
  snoozed: textOf(snoozed),
  escalated: textOf(escalated),
});

/** The first queue. */
export const queuesRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/work',
  validateSearch,
  component,
});

export const queueRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/work/$id',
  validateSearch,
  component,
});
