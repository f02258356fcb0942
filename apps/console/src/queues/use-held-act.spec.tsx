// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { useQueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { QueuedOrder } from '#desk/queue.contract';
import { CONFIRMED } from '../../test/order.js';
import { answer, waitingOrder } from '../../test/queued-order.js';
import { refusal, serve } from '../../test/server.js';
import { shown } from '../../test/shown.js';
import { acceptOrder } from '../api/queues.js';
import { useSignOut } from '../frame/use-sign-out.js';
import { HeldBar } from './held-bar.js';
import { queueWords } from './queue-words.js';
import { useHeldAct } from './use-held-act.js';

const words = queueWords.held;
const [FIRST, SECOND] = [waitingOrder('ord_1'), waitingOrder('ord_2')];
const YES = {
  'GET orders/ord_1/actions': { actions: [answer('accept')] },
  'GET orders/ord_2/actions': { actions: [answer('accept')] },
  'POST orders/ord_1/accept': CONFIRMED,
  'POST orders/ord_2/accept': { ...CONFIRMED, id: 'ord_2' },
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function Queue({ orders }: Readonly<{ orders: readonly QueuedOrder[] }>) {
  const client = useQueryClient();
  const acting = useHeldAct((order) => acceptOrder(client, order));
  const signOut = useSignOut();
  return (
    <>
      <HeldBar acting={acting} onUndone={() => undefined} />
      <button onClick={signOut}>Sign out</button>
      {orders.map((order) => (
        <button key={order.id} hidden={acting.taken.has(order.id)} onClick={() => acting.hold(order)}>
          {`Accept ${order.id}`}
        </button>
      ))}
    </>
  );
}

function queue(answers: Parameters<typeof serve>[0] = YES, orders = [FIRST, SECOND]) {
  const asked = serve(answers);
  const fetch = vi.fn(globalThis.fetch);
  vi.stubGlobal('fetch', fetch);
  shown(<Queue orders={orders} />);
  return {
    /** What was sent, oldest first. */
    sent: () => asked.map(({ route }) => route).filter((route) => !route.startsWith('GET')),
    fetch,
  };
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const row = (id: string) => screen.getByText(`Accept ${id}`);

async function accept(id: string): Promise<void> {
  fireEvent.click(row(id));
  await pass(0);
}

describe('an act that is held back', () => {
  it('is sent once after ten seconds, and its row is gone from the beginning', async () => {
    const { sent } = queue();
    await accept('ord_1');
    expect(row('ord_1').hidden).toBe(true);
    screen.getByText(words.says(words.confirming, 'ord_1'));
    screen.getByText('Becomes “Confirmed” · the platform is told');
    await pass(9_900);
    expect(sent()).toEqual([]);
    await pass(200);
    expect(sent()).toEqual(['POST orders/ord_1/accept']);
    expect(screen.queryByRole('group', { name: words.label })).toBeNull();
    await pass(60_000);
    expect(sent()).toHaveLength(1);
  });

  it('is taken back by its key or its button, and nothing was sent', async () => {
    const { sent } = queue();
    await accept('ord_1');
    await pass(5_000);
    fireEvent.keyDown(document.body, { key: 'u' });
    expect(row('ord_1').hidden).toBe(false);
    await accept('ord_1');
    // Longer than the first would have been held.
    await pass(9_000);
    fireEvent.click(screen.getByRole('button', { name: words.undo }));
    await pass(60_000);
    expect(sent()).toEqual([]);
    expect(row('ord_1').hidden).toBe(false);
  });

  it('is sent at once with the next act, which is held in its place', async () => {
    const { sent } = queue();
    await accept('ord_1');
    await accept('ord_2');
    expect(sent()).toEqual(['POST orders/ord_1/accept']);
    screen.getByText(words.says(words.confirming, 'ord_2'));
    await pass(10_000);
    expect(sent()).toEqual(['POST orders/ord_1/accept', 'POST orders/ord_2/accept']);
  });

  it('is not sent twice by a double press', async () => {
    const { sent } = queue();
    fireEvent.click(row('ord_1'));
    await accept('ord_1');
    expect(sent()).toEqual([]);
    const now = screen.getByRole('button', { name: words.sendNow });
    fireEvent.click(now);
    fireEvent.click(now);
    await accept('ord_1');
    await pass(20_000);
    expect(sent()).toEqual(['POST orders/ord_1/accept']);
  });

  it.each([
    ['the page is left', cleanup],
    ['the tab is closed', () => window.dispatchEvent(new Event('pagehide'))],
  ])('is sent to its end at once when %s', async (_, leave) => {
    const { sent, fetch } = queue();
    await accept('ord_1');
    leave();
    await pass(0);
    expect(sent()).toEqual(['POST orders/ord_1/accept']);
    expect(fetch.mock.lastCall?.[1]?.keepalive).toBe(true);
    await pass(20_000);
    expect(sent()).toHaveLength(1);
  });

  it('is sent also if the page is left before it is known what can be done', async () => {
    const { sent } = queue();
    fireEvent.click(row('ord_1'));
    cleanup();
    // At once: a page that goes away does not hear the answer to a question.
    expect(sent()).toEqual(['POST orders/ord_1/accept']);
  });

  it('is sent before the person is signed out', async () => {
    const { sent } = queue({ ...YES, 'DELETE session': {} });
    await accept('ord_1');
    fireEvent.click(screen.getByRole('button', { name: 'Sign out' }));
    await pass(0);
    expect(sent()).toEqual(['POST orders/ord_1/accept', 'DELETE session']);
  });

  it('brings the row back with the reason if the server refuses it', async () => {
    queue({ ...YES, 'POST orders/ord_1/accept': refusal(409, 40901, 'the order is rejected') });
    await accept('ord_1');
    await pass(10_000);
    expect(row('ord_1').hidden).toBe(false);
    expect(screen.getByRole('alert').textContent).toContain('The order is rejected');
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    await pass(0);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('does not wait until its deadline', async () => {
    const soon = new Date(Date.now() + 15_000).toISOString();
    const { sent } = queue(YES, [waitingOrder('ord_1', { confirm_by: soon })]);
    await accept('ord_1');
    expect(sent()).toEqual(['POST orders/ord_1/accept']);
    expect(row('ord_1').hidden).toBe(true);
  });

  it('ends the review of an order, and does not skip its broker', async () => {
    const actions = [answer('accept'), answer('approve')];
    const { sent } = queue({ 'GET orders/ord_1/actions': { actions }, 'POST orders/ord_1/approve': CONFIRMED }, [
      waitingOrder('ord_1', { confirm_by: null, queue: 'review' }),
    ]);
    await accept('ord_1');
    screen.getByText(words.says(words.approving, 'ord_1'));
    await pass(10_000);
    expect(sent()).toEqual(['POST orders/ord_1/approve']);
  });
});
