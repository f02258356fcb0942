import { createRoute, createRouter, redirect } from '@tanstack/react-router';
import { accountRoute } from './account/account-route.js';
import { PATH_PREFIX } from './api/path-prefix.js';
import { buyerRoute } from './buyers/buyers-route.js';
import { disputeRoute, disputesRoute } from './disputes/disputes-route.js';
import { deliveryRoute } from './delivery/delivery-route.js';
import { showRoute } from './shows/show-route.js';
import { showsRoute } from './shows/shows-route.js';
import { Frame } from './frame/frame.js';
import { lazyPart } from './frame/lazy-part.js';
import { frameRoute, rootRoute } from './frame/root-route.js';
import { parseSearch, stringifySearch } from './frame/search-params.js';
import { inboxRoute } from './inbox/inbox-route.js';
import { jobsRoute } from './jobs/jobs-route.js';
import { listingRoute } from './listings/listing-route.js';
import { listingsRoute } from './listings/listings-route.js';
import { moneyRoute } from './money/money-route.js';
import { LoadedOrder } from './order/order-page.js';
import { orderRoute } from './order/order-route.js';
import { OrderView } from './order/order-view.js';
import { ordersRoute } from './orders/orders-route.js';
import { queueRoute, queuesRoute } from './queues/queue-routes.js';
import { reportsRoute } from './reports/reports-route.js';
import { fraudRulesRoute, policiesRoute } from './screening/rules-routes.js';
import { auditRoute } from './settings/audit/audit-route.js';
import { statusesRoute } from './settings/statuses/statuses-route.js';
import { clientsRoute } from './settings/clients/clients-route.js';
import { keysRoute } from './settings/keys/keys-route.js';
import { mailRoute } from './settings/mail/mail-route.js';
import { operatorsRoute } from './settings/operators/operators-route.js';
import { projectionsRoute } from './settings/projections/projections-route.js';
import { tokensRoute } from './settings/tokens/tokens-route.js';
import { webhookRoute } from './settings/webhooks/webhook-route.js';
import { webhooksRoute } from './settings/webhooks/webhooks-route.js';
import { ConfirmIdentity } from './sign-in/confirm-identity.js';
import { SignInAgain } from './sign-in/sign-in-again.js';
import { authenticatorRoute, confirmedRoute, invitationRoute, signInRoute } from './sign-in/sign-in-routes.js';

const FirstRun = lazyPart(async () => (await import('./first-run/first-run.js')).FirstRun);

frameRoute.update({
  component: () => (
    <OrderView value={LoadedOrder}>
      <Frame below={<FirstRun />}>
        <ConfirmIdentity />
        <SignInAgain />
      </Frame>
    </OrderView>
  ),
});

const homeRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/orders' });
  },
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    signInRoute,
    invitationRoute,
    confirmedRoute,
    authenticatorRoute,
    frameRoute.addChildren([
      homeRoute,
      ordersRoute,
      orderRoute,
      queuesRoute,
      queueRoute,
      deliveryRoute,
      listingsRoute,
      listingRoute,
      showsRoute,
      showRoute,
      moneyRoute,
      disputesRoute,
      disputeRoute,
      buyerRoute,
      jobsRoute,
      reportsRoute,
      operatorsRoute,
      tokensRoute,
      clientsRoute,
      keysRoute,
      webhooksRoute,
      webhookRoute,
      statusesRoute,
      policiesRoute,
      fraudRulesRoute,
      mailRoute,
      projectionsRoute,
      auditRoute,
      accountRoute,
      inboxRoute,
    ]),
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
