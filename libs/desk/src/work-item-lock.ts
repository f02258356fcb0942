import type { ClientBase } from 'pg';
import { lockKey } from '#database/advisory-lock';

/** The name of the checkpoint in `subscriptions`. */
export const WORK_QUEUES = 'work-queues';

const LOCK = lockKey('work queues');

/** Whoever writes `work_items` holds this lock until the end of the transaction. */
export async function lockWorkItems(client: ClientBase): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
}

/** Returns false if somebody else holds the lock. */
export async function tryLockWorkItems(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_xact_lock($1) as free', [LOCK]);
  return rows[0]?.free === true;
}
