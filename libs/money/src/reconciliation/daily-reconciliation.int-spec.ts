import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import type { ReconciliationList } from '../reconciliation.contract.js';
import { DailyReconciliation } from './daily-reconciliation.js';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const daily = () => api.app.get(DailyReconciliation).run();
const begun = async () => ((await api.staff.get('reconciliations')).body as ReconciliationList).reconciliations;

it('compares the last three days of each provider once a day, but none before the first client', async () => {
  await daily();
  expect(await begun()).toEqual([]);
  await api.pool.query(`update clients set created_at = now() - interval '9 days'`);
  await Promise.all([daily(), daily()]);
  await daily();
  const today = `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`;
  const from = new Date(Date.parse(today) - 3 * 86_400_000).toISOString();
  expect(await begun()).toMatchObject([{ provider: 'sandbox', from, to: today, state: 'running' }]);
});
