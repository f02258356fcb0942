import type { Pool } from 'pg';
import { until } from '../../until.js';
import type { ProviderDouble } from '../provider-double.js';

// The queue gives the jobs of a killed worker to another one after 15 s, and other tests may keep the machine busy.
const WITHIN_MS = 300_000;

/** Otherwise they would wait for the lease of a dead process, or for the next of their tries. */
const LATE_EVENTS_AT_ONCE = `update provider_events set next_try_at = now() where state = 'waiting'`;

const DUE = `
  select concat_ws(', ', outcomes || ' payments without an outcome', steps || ' steps of payments', told || ' events of the provider') as due
  from (select nullif(count(*), 0) as outcomes from orders where due_for = 'payment_outcome') o,
    (select nullif(count(*), 0) as steps from orders where payment_step <> 'hold') s,
    (select nullif(count(*), 0) as told from provider_events where next_try_at <= now()) e`;

/** Waits until nothing is due about any order's money. Meanwhile days pass at the provider. */
export async function untilAtRest(pool: Pool, double: ProviderDouble): Promise<void> {
  await pool.query(LATE_EVENTS_AT_ONCE);
  const due = async () => (await pool.query<{ due: string }>(DUE)).rows[0]?.due;
  const isAtRest = async () => {
    double.settle();
    return (await due()) === '';
  };
  await until(isAtRest, { withinMs: WITHIN_MS, everyMs: 200 }).catch(async (cause: unknown) => {
    throw new Error(`Not at rest: ${await due()}`, { cause });
  });
}
