// @vitest-environment jsdom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { serve } from '../../test/server.js';
import { shown } from '../../test/shown.js';
import { deliveryWords as words } from './delivery-words.js';
import { type Endpoint, EndpointTable } from './endpoint-table.js';
import { Trouble } from './trouble.js';

const PLATFORM: Endpoint = {
  endpoint: 'platform',
  kind: 'platform',
  url: 'https://platform.example',
  state: 'delivering',
  pending: 2,
  parked: 0,
  oldest_undelivered_at: null,
  attempts: 0,
  success_rate: null,
  p50_ms: null,
  p99_ms: null,
  last_delivered_at: null,
};
const hook = (id: string, state: Endpoint['state'], pending: number): Endpoint => {
  return { ...PLATFORM, kind: 'webhook', endpoint: id, url: `https://${id}.example`, state, pending };
};
const ENDPOINTS = [PLATFORM, hook('paused', 'paused', 3), hook('failing', 'failing', 4)];
const table = (mayAct: boolean) => (
  <EndpointTable
    endpoints={ENDPOINTS}
    query={{ error: null, isPending: false, refetch: () => Promise.resolve() }}
    mayAct={mayAct}
    searchOf={(endpoint) => ({ endpoint })}
  />
);

it('has what is wrong first, links each webhook to its page, and tries at once what waits', async () => {
  const asked = serve({ 'POST pings/send': {}, 'POST webhooks/failing/resume': {} });
  shown(table(true));
  const names = screen.getAllByRole('link', { name: /^Webhook/ }).map((link) => link.getAttribute('href'));
  expect(names).toEqual(['/settings/webhooks/failing', '/settings/webhooks/paused']);
  for (const name of ['https://failing.example', 'https://platform.example']) {
    fireEvent.click(screen.getByRole('button', { name: words.tryNowOf(name) }));
  }
  await waitFor(() =>
    expect(asked.map(({ route }) => route)).toEqual(['POST webhooks/failing/resume', 'POST pings/send']),
  );
  expect(asked.at(1)?.body).toEqual({ state: 'pending' });
  // Somebody has paused it on purpose.
  expect(screen.queryByRole('button', { name: words.tryNowOf('https://paused.example') })).toBeNull();
});

it('lets nobody try who may only look', () => {
  shown(table(false));
  expect(screen.queryAllByRole('button')).toEqual([]);
});

it('says what is wrong in sentences, or that nothing is', () => {
  shown(<Trouble endpoints={[hook('failing', 'failing', 4), { ...PLATFORM, parked: 2 }]} />);
  screen.getByText(words.trouble.failing('Webhook https://failing.example', '4'));
  screen.getByText(words.trouble.parked('Platform https://platform.example', '2'));
  shown(<Trouble endpoints={[PLATFORM]} />);
  screen.getByText(words.fine);
});
