import type { Pool } from 'pg';
import { expect, it } from 'vitest';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { WebhookScheduler } from './webhook-scheduler.js';

it('wakes the drains of its process before the query, because a drain that is just ending still shows as leased', async () => {
  const said: string[] = [];
  const query = async () => {
    said.push('asked');
    // Its drain has seen nothing new, and releases its lease while this query runs.
    return { rows: [{ id: 'whk_1', newest: 7, leased: true }] };
  };
  const pool = { query } as unknown as Pool;
  const queue = { add: async (jobs: readonly { id: string }[]) => void said.push(...jobs.map(({ id }) => id)) };
  const wake = (id: string) => said.push(`${id} is not in hand`) === 0;
  const wakeAll = () => void said.push('told all');
  await new WebhookScheduler(pool, queue, new FixedClock(), { wake, wakeAll }).grown();
  expect(said).toEqual(['told all', 'asked', 'whk_1 is not in hand']);
});
