import type { Pool } from 'pg';
import { expect, it } from 'vitest';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { WebhookScheduler } from './webhook-scheduler.js';

it('wakes the drains of its process before the query, because a drain that is just ending still shows as leased', async () => {
  const calls: string[] = [];
  const query = async () => {
    calls.push('asked');
    // Its drain has seen nothing new, and releases its lease while this query runs.
    return { rows: [{ id: 'whk_1', newest: 7, leased: true }] };
  };
  const pool = { query } as unknown as Pool;
  const queue = { add: async (jobs: readonly { id: string }[]) => void calls.push(...jobs.map(({ id }) => id)) };
  const wake = (id: string) => calls.push(`${id} is not in hand`) === 0;
  const wakeAll = () => void calls.push('told all');
  await new WebhookScheduler(pool, queue, new FixedClock(), { wake, wakeAll }).grown();
  expect(calls).toEqual(['told all', 'asked', 'whk_1 is not in hand']);
});
