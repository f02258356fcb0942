import type { Pool } from 'pg';

const PLACED_AT = '2026-05-01T00:00:00.000Z';

type StoredBuyer = Readonly<{
  id: string;
  key: Buffer;
  personal: Buffer | null;
  seller?: string;
}>;

/** Stores an order with a buyer in the read tables, without events, and without digests: as a version before the search did. */
export async function storeBuyer(pool: Pool, { id, key, personal, seller }: StoredBuyer): Promise<void> {
  await pool.query(
    `insert into orders (id, version, client_id, variant, stage, event_id, listing_id, quantity, stock_held, total_cents,
       transaction_id, placed_at, updated_at, seller, purchase, summary, personal)
     values ($1, 1, 'c', 'payment', 'placed', 'e', 'l', 1, 0, 100, 't', $2, $2, $3, '{}', '{}', $4)`,
    [id, PLACED_AT, seller, personal],
  );
  await pool.query('insert into personal_data_keys (order_id, key) values ($1, $2)', [id, key]);
}
