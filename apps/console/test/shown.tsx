import { furnishWindow } from './dom.js';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
  type RouterHistory,
} from '@tanstack/react-router';
import { cleanup, configure, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import type { Session } from '#accounts/operator.contract';
import type { Permission } from '#accounts/permission.contract';
import { sessionQuery } from '../src/api/session.js';
import { parseSearch, stringifySearch } from '../src/frame/search-params.js';

// A dialog is loaded when it is opened. On a busy machine that takes longer than the library's second.
configure({ asyncUtilTimeout: 20_000 });

const SESSION: Session = {
  operator: {
    id: 'opr_1',
    email: 'ada@example.com',
    name: 'Ada Lovelace',
    roles: ['operations'],
    sellers: null,
    state: 'active',
    totp: false,
    last_sign_in_at: null,
  },
  permissions: [],
  csrf_token: 'csrf',
  expires_at: '2026-11-26T20:00:00.000Z',
  previous_sign_in_at: null,
  idle_minutes: 60,
  proof: ['password'],
  totp_required: false,
  recovery_codes_left: 0,
};

/** Shows a part of a page to somebody with these permissions, in place of what was shown before. Its links have addresses, at which nothing answers. @returns the history of the window */
export function shown(part: ReactNode, permissions: readonly Permission[] = []): RouterHistory {
  // Files share the window and the modules, so nothing may wait for the end of a file.
  furnishWindow();
  cleanup();
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  const session: Session = { ...SESSION, permissions: [...permissions] };
  client.setQueryData(sessionQuery.queryKey, session);
  const history = createMemoryHistory();
  const router = createRouter({
    routeTree: createRootRoute(),
    history,
    parseSearch,
    stringifySearch,
  });
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <RouterContextProvider router={router}>{part}</RouterContextProvider>
      </QueryClientProvider>
    </MantineProvider>,
  );
  return history;
}
