// @vitest-environment jsdom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { FirstStepList } from '#desk/first-steps.contract';
import { refusal, serve } from '../../test/server.js';
import { shown } from '../../test/shown.js';
import { firstRunWords } from './first-run-words.js';
import { FirstStepsCard } from './first-steps-card.js';
import { SampleBar } from './sample-bar.js';

const { sample, steps: words } = firstRunWords;

const stepsWith = (...done: readonly string[]): FirstStepList => ({
  steps: (['listing', 'purchase', 'colleague', 'platform', 'webhook'] as const).map((id) => ({
    id,
    done: done.includes(id),
  })),
  sandbox: true,
});

beforeEach(() => localStorage.clear());

describe('the bar of the sample', () => {
  it('asks first, removes by one request, and says what went', async () => {
    const asked = serve({
      'GET sample': { present: true, removed_at: null },
      'DELETE sample': { orders: 331, listings: 1020, events: 290 },
    });
    shown(<SampleBar />, ['admin']);
    fireEvent.click(await screen.findByRole('button', { name: sample.remove }));
    const dialog = await screen.findByRole('dialog');
    within(dialog).getByText(sample.stays);
    expect(asked.map(({ route }) => route)).not.toContain('DELETE sample');
    fireEvent.click(within(dialog).getByRole('button', { name: sample.apply }));
    const removed = sample.removed('331', '1,020', '290');
    await waitFor(() => expect(screen.getByRole('status').textContent).toContain(removed));
    expect(asked.filter(({ route }) => route === 'DELETE sample')).toHaveLength(1);
  });

  it('is not there without a sample', async () => {
    const asked = serve({ 'GET sample': { present: false, removed_at: null } });
    shown(<SampleBar />, ['admin']);
    await waitFor(() => expect(asked).toHaveLength(1));
    expect(screen.queryByText(sample.bar, { exact: false })).toBeNull();
  });
});

describe('the first steps', () => {
  it('are ticked by what exists, and each leads to where it is done', async () => {
    serve({ 'GET first-steps': stepsWith('listing', 'webhook') });
    shown(<FirstStepsCard />, ['admin']);
    expect(await screen.findAllByRole('img', { name: words.ticked })).toHaveLength(2);
    screen.getByText(words.done(2, 5));
    const places = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
    expect(places).toEqual(['/listings', '/settings/operators', '/settings/clients', '/settings/webhooks']);
  });

  it('have the built-in platform buy a ticket, and open its order', async () => {
    const asked = serve({ 'GET first-steps': stepsWith(), 'POST test-purchases': { id: 'ord_1' } });
    const history = shown(<FirstStepsCard />, ['admin']);
    fireEvent.click(await screen.findByRole('button', { name: words.names.purchase }));
    await waitFor(() => expect(history.location.pathname).toBe('/orders/ord_1'));
    expect(asked.filter(({ route }) => route === 'POST test-purchases')).toHaveLength(1);
  });

  it('say why no ticket is bought', async () => {
    const why = 'No listing is on sale.';
    serve({ 'GET first-steps': stepsWith(), 'POST test-purchases': refusal(409, 40901, why) });
    shown(<FirstStepsCard />, ['admin']);
    fireEvent.click(await screen.findByRole('button', { name: words.names.purchase }));
    expect((await screen.findByRole('alert')).textContent).toContain(why);
  });

  it('offer no test ticket without the built-in platform, and say why', async () => {
    serve({ 'GET first-steps': { ...stepsWith(), sandbox: false } });
    shown(<FirstStepsCard />, ['admin']);
    expect(await screen.findByText(words.noSandbox)).toBeTruthy();
    expect(screen.queryByRole('button', { name: words.names.purchase })).toBeNull();
  });

  it('are gone once all are done, or hidden', async () => {
    serve({ 'GET first-steps': stepsWith('listing') });
    shown(<FirstStepsCard />, ['admin']);
    fireEvent.click(await screen.findByRole('button', { name: words.dismiss }));
    expect(screen.queryByText(words.title)).toBeNull();
    shown(<FirstStepsCard />, ['admin']);
    expect(screen.queryByText(words.title)).toBeNull();
  });
});
