import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../frame/lazy-part.js';
import { rootRoute } from '../frame/root-route.js';
import { textsOf } from '../frame/search-params.js';
import { ConfirmedPage } from './confirmed-page.js';

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: textsOf('next', 'problem'),
  component: lazyPage(async () => (await import('./sign-in-page.js')).SignInPage),
});

export const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitation',
  component: lazyPage(async () => (await import('./invitation-page.js')).InvitationPage),
});

export const confirmedRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/confirmed',
  validateSearch: textsOf('problem'),
  component: ConfirmedPage,
});

export const authenticatorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/authenticator',
  validateSearch: textsOf('next'),
  component: lazyPage(async () => (await import('./authenticator-page.js')).AuthenticatorPage),
});
