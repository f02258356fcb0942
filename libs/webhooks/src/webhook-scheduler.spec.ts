import type { Pool } from 'pg';
import { expect, it } from 'vitest';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { WebhookScheduler } from './webhook-scheduler.js';

it('tells the drains of its process before it asks who is behind: one that ends meanwhile still shows as leased', async () => {
  const said: string[] = [];
  const query = async () => {
    said.push('asked');
    // Its drain has seen nothing new, and gives its lease back while this answer is under way.
    return { rows: [{ id: 'whk_1', newest: 7, leased: true }] };
  };
  const pool = { query } as unknown as Pool;
  const queue = { add: async (jobs: readonly { id: string }[]) => void said.push(...jobs.map(({ id }) => id)) };
  const wake = (id: string) => said.push(`${id} is not in hand`) === 0;
  const wakeAll = () => void said.push('told all');
  await new WebhookScheduler(pool, queue, new FixedClock(), { wake, wakeAll }).grown();
  expect(said).toEqual(['told all', 'asked', 'whk_1 is not in hand']);
});
