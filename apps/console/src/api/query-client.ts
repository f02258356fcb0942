import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.js';

const TRIES = 3;

/** A retry helps only if the server did not answer or failed. A refusal would be the same again. */
const isTemporary = (error: unknown) => !(error instanceof ApiError) || error.status === 0 || error.status >= 500;

export const queryClient = new QueryClient({
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
