import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../frame/lazy-part.js';
import { rootRoute } from '../frame/root-route.js';
import { type SearchParams, textOf, type Texts } from '../frame/search-params.js';
import { ConfirmedPage } from './confirmed-page.js';
import { SignInPage } from './sign-in-page.js';

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: ({ next, problem }: SearchParams): Texts<'next' | 'problem'> => ({
    next: textOf(next),
    problem: textOf(problem),
  }),
  component: SignInPage,
});

export const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitation',
  component: lazyPage(async () => (await import('./invitation-page.js')).InvitationPage),
});

export const confirmedRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/confirmed',
  validateSearch: ({ problem }: SearchParams): Texts<'problem'> => ({ problem: textOf(problem) }),
  component: ConfirmedPage,
});

export const authenticatorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/authenticator',
  validateSearch: ({ next }: SearchParams): Texts<'next'> => ({ next: textOf(next) }),
  component: lazyPage(async () => (await import('./authenticator-page.js')).AuthenticatorPage),
});
