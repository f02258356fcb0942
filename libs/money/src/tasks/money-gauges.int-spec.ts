import { afterAll, beforeAll, expect, it } from 'vitest';
import { PaymentSteps } from '#orders/payments/payment-steps';
import { Metrics } from '#platform/metrics';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { cardBody } from '../../../../test/support/purchase-bodies.js';
import { ProviderEventInbox } from '../provider-events/provider-event-inbox.js';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1');
});
afterAll(() => api.close());

/** The value of the only line that begins so. */
async function valueOf(begin: string): Promise<number> {
  const lines = (await api.app.get(Metrics).registry.metrics()).split('\n').filter((line) => line.startsWith(begin));
  expect(lines).toHaveLength(1);
  return Number(lines[0]?.split(' ').at(-1));
}

it('tells how long a step of a payment has been due, and which tasks are open', async () => {
  expect(await valueOf('willcall_oldest_due_payment_seconds{step="capture"}')).toBe(0);
  expect(await valueOf('willcall_money_tasks{kind="capture_failed"}')).toBe(0);
  const body = cardBody();
  body.payment.data.card_number = '4000000000001117';
  const id = await api.payment.bought(body);
  await api.pool.query(`update orders set payment_due_at = payment_due_at - interval '1 hour' where id = $1`, [id]);
  expect(await valueOf('willcall_oldest_due_payment_seconds{step="capture"}')).toBeGreaterThanOrEqual(3_600);
  await api.app.get(PaymentSteps).run(id, { transaction_id: 'test', actor: 'system:capture' });
  expect(await valueOf('willcall_oldest_due_payment_seconds{step="capture"}')).toBe(0);
  expect(await valueOf('willcall_money_tasks{kind="capture_failed"}')).toBe(1);
});

it('tells how long an event of a provider has waited for its order', async () => {
  const fact = { is: 'payment', payment: 'pi_unknown', orderId: 'ord_unknown' } as const;
  const event = { id: 'evt_early', type: 'payment_intent.canceled', createdAt: new Date().toISOString(), fact };
  await api.app.get(ProviderEventInbox).add('stripe', [event]);
  await api.pool.query(`update provider_events set received_at = received_at - interval '2 hours'`);
  const value = await valueOf('willcall_oldest_waiting_provider_event_seconds{provider="stripe"}');
  expect(value).toBeGreaterThanOrEqual(7_200);
});
