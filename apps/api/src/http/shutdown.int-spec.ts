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
