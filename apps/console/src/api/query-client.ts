import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.js';
import { AUTHENTICATOR_NEEDED } from './error-codes.js';
import { PATH_PREFIX } from './path-prefix.js';

const TRIES = 3;

/** A retry helps only if the server did not answer or failed. A refusal would be the same again. */
const isTemporary = (error: unknown) => !(error instanceof ApiError) || error.status === 0 || error.status >= 500;

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      // The server began to ask for an authenticator app during the session: its page is all that the person may see.
      if (error instanceof ApiError && error.has(AUTHENTICATOR_NEEDED)) location.assign(`${PATH_PREFIX}/authenticator`);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) => failures < TRIES && isTemporary(error),
      retryDelay: (failures) => Math.min(1_000 * 2 ** failures, 8_000),
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});
