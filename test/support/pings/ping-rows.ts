import type { Pool } from 'pg';
import { duePingsProjection } from '#outbound/due-pings.projection';

/** The name of a ping in tests. It is the ping's transaction id, so it also goes over the wire. */
export function pingName(orderId: string, sequence: number): string {
  return `${orderId}/${sequence}`;
}

export function orderNo(number: number): string {
  return `ord_${number.toString(16).padStart(32, '0')}`;
}

type NewPing = Readonly<{ orderId: string; sequence: number; dueAt: number }>;

/** Adds pings like an append does, but due at a given time. */
export async function addPings(pool: Pool, pings: readonly NewPing[]): Promise<void> {
  const rows = pings.map(({ orderId, sequence, dueAt }) => ({
    order_id: orderId,
    sequence,
    position: sequence + 1,
    client_id: 'cli_1',
    ref_id: `ref of ${orderId}`,
    status: 'confirmed',
    status_code: 2000 + sequence,
    status_message: `Status ${sequence}`,
    occurred_at: new Date(dueAt),
    transaction_id: pingName(orderId, sequence),
  }));
  const columns = Object.entries(duePingsProjection.columns).map(([name, type]) => `${name} ${type}`);
  const source = `json_to_recordset($1::json) as new(${columns.join(', ')})`;
  await pool.query(duePingsProjection.statement(source), [JSON.stringify(rows)]);
  await pool.query(
    `update pings set due_since = occurred_at, next_try_at = occurred_at
     from unnest($1::text[], $2::int[]) as added(id, place) where order_id = id and sequence = place`,
    [pings.map(({ orderId }) => orderId), pings.map(({ sequence }) => sequence)],
  );
}

/** Adds an order with so many pings, due one millisecond apart. */
export async function addOrder(pool: Pool, orderId: string, pings: number, dueAt: number): Promise<void> {
  await addPings(
    pool,
    Array.from({ length: pings }, (_, index) => ({ orderId, sequence: index + 1, dueAt: dueAt + index })),
  );
}
