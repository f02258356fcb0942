import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { DatabaseClock } from '#database/database-clock';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { codesOf } from '../../../../test/support/callers.js';
import { cardBody } from '../../../../test/support/purchase-bodies.js';
import type { OrderQueue } from '../queue.contract.js';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1', { confirmation: 'manual', confirm_within_minutes: 30 });
});
afterAll(() => api.close());
afterEach(() => void vi.restoreAllMocks());

it('says where an order waits at once, before the worker has moved it', async () => {
  const id = await api.payment.bought(cardBody());
  const place = async () => (await api.staff.get(`orders/${id}/queue`)).body as OrderQueue;
  const { body } = await api.staff.get(`orders/${id}`);
  const { confirm_by: due } = body as { confirm_by: string };
  const waiting = { queue: 'to_confirm', due_at: due, overdue: false, snoozed_until: null, escalated_at: null };
  expect(await place()).toEqual(waiting);
  await api.staff.send('PUT', `orders/${id}/snooze`, { until: new Date(Date.parse(due) - 60_000).toISOString() });
  expect((await place()).snoozed_until).toEqual(expect.any(String));
  const clock = api.app.get(DatabaseClock);
  vi.spyOn(clock, 'now').mockReturnValue(Date.parse(due) + 1_000);
  expect(await place()).toMatchObject({ queue: 'overdue', overdue: true });
  vi.restoreAllMocks();
  await api.staff.changeStatus(id, 3010);
  expect(await place()).toEqual({ queue: null, due_at: null, overdue: false, snoozed_until: null, escalated_at: null });
  expect(codesOf(await api.staff.get('orders/ord_unknown/queue'))).toEqual([40400]);
});
