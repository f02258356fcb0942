import type { ClientBase, Pool } from 'pg';

/** The key under which all that is personal in an order is sealed, itself sealed, and the buyer's data of the order's row. */
export type OrderKey = Readonly<{ key: Buffer; personal: Buffer | null }>;

/** By the id of the order. Orders that never had personal data, or whose data was erased, have none. */
export async function orderKeys(
  connection: ClientBase | Pool,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, OrderKey>> {
  const { rows } = await connection.query<OrderKey & { order_id: string }>(KEYS, [orderIds]);
  return new Map(rows.map((row) => [row.order_id, row]));
}

const KEYS = `
  select k.order_id, k.key, o.personal from personal_data_keys k left join orders o on o.id = k.order_id
  where k.order_id = any($1)`;
