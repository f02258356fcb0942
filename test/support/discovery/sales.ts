import type { Pool } from 'pg';

let orders = 0;

/** Inserts an order into the read tables, without events. `buyer` is used as the digest of an email address. */
export async function sell(
  pool: Pool,
  eventId: number | string,
  buyer: string | null,
  change: { status?: string; stage?: string; placedAt?: string; quantity?: number } = {},
): Promise<string> {
  const { status = 'confirmed', stage = 'placed', placedAt = '2026-11-20T00:00:00Z', quantity = 2 } = change;
  const id = `ord_sold_${(orders += 1)}`;
  await pool.query(
    `with sold as (
       insert into orders (id, version, client_id, variant, stage, status, status_code, status_message, event_id, listing_id,
         quantity, stock_held, total_cents, transaction_id, placed_at, updated_at, purchase, summary)
       values ($1, 1, 'c', 'wholesale', $2, $3, 2000, '', $4, 'l', $7, $7, 1, 't', $5, $5, '{}', '{}')
     )
     insert into personal_data_keys (order_id, key, email_digest) values ($1, '\\x00', $6)`,
    [id, stage, status, String(eventId), placedAt, buyer === null ? null : Buffer.from(buyer), quantity],
  );
  return id;
}
