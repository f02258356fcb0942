import { uuidv7 } from 'uuidv7';
import type { Pool } from 'pg';

export type SubmittedBody = { product: { listing_id: string; quantity: number }; ref_id: string };

/**
 * Writes the rows of one wholesale purchase with one prepared statement. They are copies of the rows of a real purchase with other
 * ids, `ref_id` and listing: the same tables, the same indexes, the same bytes.
 */
export class PurchaseRows {
  private constructor(
    private readonly pool: Pool,
    private readonly model: Model,
  ) {}

  /** Copies the first wholesale purchase in the database. Without one, it cannot write. */
  static async read(pool: Pool): Promise<PurchaseRows> {
    const { rows } = await pool.query<Model>(READ_MODEL);
    return new PurchaseRows(pool, rows[0] ?? EMPTY);
  }

  async write({ product, ref_id }: SubmittedBody): Promise<string> {
    const { model } = this;
    const orderId = `ord_${id()}`;
    const purchase = model.purchase.replace(model.id, orderId);
    const { rowCount } = await this.pool.query({
      name: 'write-purchase',
      text: WRITE,
      values: [
        orderId,
        `evt_${id()}`,
        `evt_${id()}`,
        ref_id,
        product.listing_id,
        product.quantity,
        new Date(),
        model.received,
        model.confirmed,
        model.metadata,
        model.hash,
        purchase,
        model.summary,
        model.personal,
        model.key,
        model.email_digest,
        model.client_id,
        model.transaction_id,
        model.phone_digest,
        model.last_name_digest,
        model.queue,
      ],
    });
    if (rowCount !== 1) throw new Error('not enough in stock');
    return purchase;
  }
}

type Model = {
  id: string;
  client_id: string;
  transaction_id: string;
  received: string;
  confirmed: string;
  metadata: string;
  hash: Buffer;
  purchase: string;
  summary: string;
  personal: Buffer;
  key: Buffer;
  email_digest: Buffer;
  phone_digest: Buffer | null;
  last_name_digest: Buffer | null;
  queue: string | null;
};

const NOTHING = Buffer.alloc(0);
const EMPTY: Model = {
  id: '',
  client_id: '',
  transaction_id: '',
  received: '{}',
  confirmed: '{}',
  metadata: '{}',
  hash: NOTHING,
  purchase: '{}',
  summary: '{}',
  personal: NOTHING,
  key: NOTHING,
  email_digest: NOTHING,
  phone_digest: null,
  last_name_digest: null,
  queue: null,
};

const READ_MODEL = `
  select o.id, o.client_id, o.transaction_id, r.data::text as received, c.data::text as confirmed,
    r.metadata::text as metadata, r.hash, o.purchase::text as purchase, o.summary::text as summary, o.personal,
    k.key, k.email_digest, k.phone_digest, k.last_name_digest, o.queue
  from orders o
  join events r on r.stream = 'order-' || o.id and r.position = 1
  join events c on c.stream = 'order-' || o.id and c.position = 2
  join personal_data_keys k on k.order_id = o.id
  where o.variant = 'wholesale' order by o.id limit 1`;

function id(): string {
  return uuidv7().replaceAll('-', '');
}

const WRITE = `
  with written_events as (
    insert into events (stream, position, event_id, type, data, metadata, recorded_at, hash)
    values ('order-' || $1, 1, $2, 'PurchaseReceived', $8, $10, $7, $11),
           ('order-' || $1, 2, $3, 'OrderConfirmed', $9, $10, $7, $11)),
  written_outbox as (
    insert into outbox (stream, stream_position, recorded_at) values ('order-' || $1, 1, $7), ('order-' || $1, 2, $7)),
  written_orders as (
    insert into orders (id, version, client_id, variant, stage, status, status_code, status_message, event_id, listing_id,
      quantity, stock_held, total_cents, ref_id, transaction_id, placed_at, updated_at, due_for, due_at, queue,
      has_replacement, has_refund, purchase, summary, personal)
    values ($1, 2, $17, 'wholesale', 'placed', 'confirmed', 2000, 'Confirmed', '5512', $5,
      $6, $6, 18000, $4, $18, $7, $7, null, null, $21,
      false, false, $12, $13, $14)),
  written_history as (
    insert into status_history (order_id, sequence, position, status, status_code, status_message, actor, note, recorded_at)
    values ($1, 1, 2, 'confirmed', 2000, 'Confirmed', 'platform:' || $17, null, $7)),
  written_pings as (
    insert into pings (order_id, sequence, position, client_id, ref_id, status, status_code, status_message, occurred_at,
      transaction_id, due_since, next_try_at)
    values ($1, 1, 2, $17, $4, 'confirmed', 2000, 'Confirmed', $7, $18, $7, $7)),
  written_keys as (insert into purchase_keys (client_id, key, order_id) values ($17, 'ref:' || $4, $1)),
  written_personal as (
    insert into personal_data_keys (order_id, key, placed_at, email_digest, phone_digest, last_name_digest, folded_at)
    values ($1, $15, $7, $16, $19, $20, $7))
  update listings set available = available - $6 where id = $5 and available >= $6 returning 1`;
