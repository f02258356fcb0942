import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { expect, it } from 'vitest';
import { startTestApi } from '../../../../test/support/api.js';
import { cardBody } from '../../../../test/support/purchase-bodies.js';
import { until } from '../../../../test/support/until.js';

// For this card, the sandbox answers 30 s after it has taken the money.
const LATE_CARD = '4000000000000341';

it('ends the remaining requests after the grace period', async () => {
  const api = await startTestApi({ SHUTDOWN_GRACE_MS: '200' });
  await api.staff.putListing('lst-1');
  const body = cardBody();
  body.payment.data.card_number = LATE_CARD;
  const bought = api.payment.buy(body).catch(() => 'cut off');
  await until(async () => (await api.pool.query('select from sandbox_payments')).rowCount === 1);
  const began = performance.now();
  await api.close();
  expect(performance.now() - began).toBeLessThan(10_000);
  expect(await bought).toBe('cut off');
});

it('closes a connection only when its client has not used it for a time', async () => {
  // Three tenths of the grace period.
  const unusedMs = 1_500;
  const api = await startTestApi({ SHUTDOWN_GRACE_MS: `${unusedMs / 0.3}` });
  const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })] as const;
  const [earlier, latest] = agents;
  const live = `${api.url}/health/live`;

  const closedEarlier = await closeOf(earlier, live);
  const usedEarlier = performance.now();
  await until(() => performance.now() - usedEarlier > unusedMs / 2);
  const closedLatest = await closeOf(latest, live);
  const usedLatest = performance.now();

  const stopped = api.close();
  expect((await closedEarlier.at) - usedEarlier).toBeGreaterThan(unusedMs - EARLY_MS);
  expect((await closedLatest.at) - usedLatest).toBeGreaterThan(unusedMs - EARLY_MS);
  await stopped;
  for (const agent of agents) agent.destroy();
});

// What the answer needs from the server to here.
const EARLY_MS = 100;

/** Sends a request, reads the answer, and promises the time at which the server closes the connection. */
async function closeOf(agent: Agent, url: string): Promise<Readonly<{ at: Promise<number> }>> {
  const sent = get(url, { agent });
  const [answer] = await once(sent, 'response');
  const { socket } = answer;
  const at = once(socket, 'close').then(() => performance.now());
  answer.resume();
  await once(answer, 'end');
  return { at };
}
