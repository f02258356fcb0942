import { createRootRoute, createRoute, createRouter, redirect, type RouteComponent } from '@tanstack/react-router';
import { PATH_PREFIX } from './api/path-prefix.js';
import { queryClient } from './api/query-client.js';
import { sessionQuery } from './api/session.js';
import { Frame } from './frame/frame.js';
import { NotFoundPage } from './frame/not-found-page.js';
import { Failure } from './frame/failure.js';
import { lazyPage } from './frame/lazy-part.js';
import { OrderPage } from './order/order-page.js';
import { OrdersPage } from './orders/orders-page.js';
import { parseSearch, stringifySearch, type SearchParams } from './orders/search-params.js';
import { ConfirmIdentity } from './sign-in/confirm-identity.js';
import { ConfirmedPage } from './sign-in/confirmed-page.js';
import { SignInAgain } from './sign-in/sign-in-again.js';
import { SignInPage } from './sign-in/sign-in-page.js';

const root = createRootRoute({
  notFoundComponent: NotFoundPage,
  errorComponent: ({ error, reset }) => <Failure error={error} retry={reset} />,
  validateSearch: (search: SearchParams): SearchParams => search,
});

const signIn = createRoute({ getParentRoute: () => root, path: '/sign-in', component: SignInPage });

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyPage(async () => (await import('./sign-in/invitation-page.js')).InvitationPage),
});

const confirmed = createRoute({ getParentRoute: () => root, path: '/confirmed', component: ConfirmedPage });

const authenticator = createRoute({
  getParentRoute: () => root,
  path: '/authenticator',
  component: lazyPage(async () => (await import('./sign-in/authenticator-page.js')).AuthenticatorPage),
});

/** Everything that needs a session. */
const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  component: () => (
    <Frame>
      <ConfirmIdentity />
      <SignInAgain />
    </Frame>
  ),
  beforeLoad: async ({ location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery);
    if (session && !session.totp_required) return;
    const next = location.href === '/' ? {} : { next: location.href };
    // The router expects a redirect to be thrown.
    throw redirect({ to: session ? '/authenticator' : '/sign-in', search: next });
  },
});

const home = createRoute({
  getParentRoute: () => frame,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/orders' });
  },
});

const page = <const Path extends string>(path: Path, component: RouteComponent) =>
  createRoute({ getParentRoute: () => frame, path, component });

const orders = createRoute({ getParentRoute: () => frame, path: '/orders', component: OrdersPage });
const order = createRoute({ getParentRoute: () => frame, path: '/orders/$id', component: OrderPage });

// Each is a file of its own, which is loaded on demand.
const pages = [
  ...(['/work', '/work/$id'] as const).map((path) =>
    page(
      path,
      lazyPage(async () => (await import('./queues/queue-page.js')).QueuePage),
    ),
  ),
  page(
    '/delivery',
    lazyPage(async () => (await import('./delivery/delivery-page.js')).DeliveryPage),
  ),
  page(
    '/listings',
    lazyPage(async () => (await import('./listings/listings-page.js')).ListingsPage),
  ),
  page(
    '/listings/$id',
    lazyPage(async () => (await import('./listings/listing-page.js')).ListingPage),
  ),
  page(
    '/events',
    lazyPage(async () => (await import('./events/events-page.js')).EventsPage),
  ),
  page(
    '/events/$id',
    lazyPage(async () => (await import('./events/event-page.js')).EventPage),
  ),
  page(
    '/jobs',
    lazyPage(async () => (await import('./jobs/jobs-page.js')).JobsPage),
  ),
  page(
    '/reports',
    lazyPage(async () => (await import('./reports/reports-page.js')).ReportsPage),
  ),
  page(
    '/settings/operators',
    lazyPage(async () => (await import('./settings/operators/operators-page.js')).OperatorsPage),
  ),
  page(
    '/settings/catalogue',
    lazyPage(async () => (await import('./settings/catalogue/catalogue-page.js')).CataloguePage),
  ),
  page(
    '/settings/tokens',
    lazyPage(async () => (await import('./settings/tokens/tokens-page.js')).TokensPage),
  ),
  page(
    '/settings/clients',
    lazyPage(async () => (await import('./settings/clients/clients-page.js')).ClientsPage),
  ),
  page(
    '/settings/keys',
    lazyPage(async () => (await import('./settings/keys/keys-page.js')).KeysPage),
  ),
  page(
    '/settings/webhooks',
    lazyPage(async () => (await import('./settings/webhooks/webhooks-page.js')).WebhooksPage),
  ),
  page(
    '/settings/webhooks/$id',
    lazyPage(async () => (await import('./settings/webhooks/webhook-page.js')).WebhookPage),
  ),
  page(
    '/settings/policies',
    lazyPage(async () => (await import('./screening/rules-page.js')).PoliciesPage),
  ),
  page(
    '/settings/fraud-rules',
    lazyPage(async () => (await import('./screening/rules-page.js')).FraudRulesPage),
  ),
  page(
    '/settings/projections',
    lazyPage(async () => (await import('./settings/projections/projections-page.js')).ProjectionsPage),
  ),
  page(
    '/account',
    lazyPage(async () => (await import('./account/account-page.js')).AccountPage),
  ),
  page(
    '/settings/audit',
    lazyPage(async () => (await import('./settings/audit/audit-page.js')).AuditPage),
  ),
];

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    invitation,
    confirmed,
    authenticator,
    frame.addChildren([home, orders, order, ...pages]),
  ]),
  basepath: PATH_PREFIX || '/',
  parseSearch,
  stringifySearch,
  defaultPreload: false,
  scrollRestoration: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
