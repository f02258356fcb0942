import type { Pool } from 'pg';
import { inTransaction } from '#database/transaction';
import type { Clock } from '#base/clock';
import { lockWorkItems, WORK_QUEUES } from './work-item-lock.js';
import { RECOUNT, REFRESH } from './work-item-statements.js';

const ORDERS_AT_ONCE = 5_000;

/**
 * Works out the rows of all orders, batch by batch, while the queues go on being used: a right row stays as it is. Returns how many
 * orders were read and how many are open.
 */
export async function fillWorkItems(
  pool: Pool,
  clock: Clock,
  onProgress: (read: number) => void = () => undefined,
): Promise<{ orders: number; rows: number }> {
  const { rows: ends } = await pool.query<{ end: string }>('select coalesce(max(position), 0) as end from feed');
  let orders = 0;
  for (let after: string | null = ''; after !== null;) {
    const batch: { last: string | null; ids: string[] } | undefined = (
      await pool.query<{ last: string | null; ids: string[] }>(BATCH, [after, ORDERS_AT_ONCE])
    ).rows[0];
    after = batch?.last ?? null;
    if (!batch || after === null) break;
    await inTransaction(pool, async (client) => {
      await lockWorkItems(client);
      await client.query(REFRESH, [batch.ids, clock.iso()]);
    });
    orders += batch.ids.length;
    onProgress(orders);
  }
  await inTransaction(pool, async (client) => {
    await lockWorkItems(client);
    await client.query('delete from work_items w where not exists (select from orders o where o.id = w.order_id)');
    await client.query(RECOUNT);
    // What came meanwhile is read once more.
    await client.query(BEGIN_AT, [WORK_QUEUES, ends[0]?.end ?? 0]);
  });
  const { rows } = await pool.query<{ count: number }>('select count(*)::int as count from work_items');
  return { orders, rows: rows[0]?.count ?? 0 };
}

// Orders that are no longer open are among them only if they have a row.
const BATCH = `
  with batch as (select id, queue from orders where id > $1 order by id limit $2)
  select max(id) as last, coalesce(array_agg(id) filter (where queue is not null
    or exists (select from work_items w where w.order_id = batch.id)), '{}') as ids from batch`;

const BEGIN_AT = `
  insert into subscriptions (name, position) values ($1, $2)
  on conflict (name) do update set position = excluded.position where subscriptions.position < 0`;
