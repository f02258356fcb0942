import { createRootRoute, createRoute, redirect } from '@tanstack/react-router';
import { queryClient } from '../api/query-client.js';
import { sessionQuery } from '../api/session.js';
import type { SearchParams } from './search-params.js';
import { Failure } from './failure.js';
import { NotFoundPage } from './not-found-page.js';

export const rootRoute = createRootRoute({
  notFoundComponent: NotFoundPage,
  errorComponent: ({ error, reset }) => <Failure error={error} retry={reset} />,
  // What no page knows stays in the address.
  validateSearch: (search: SearchParams): object => search,
});

/** Everything that needs a session. Its component is the router's, because it takes parts from several folders. */
export const frameRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'frame',
  beforeLoad: async ({ location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery);
    if (session && !session.totp_required) return;
    const next = location.href === '/' ? {} : { next: location.href };
    // The router expects a redirect to be thrown.
    throw redirect({ to: session ? '/authenticator' : '/sign-in', search: next });
  },
});
