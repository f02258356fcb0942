import type { MigrationInterface, QueryRunner } from 'typeorm';

const ROWS_AT_ONCE = 5_000;

/** Columns and indexes to search orders. It runs while purchases go on: every statement locks few rows, or none, for a short time. */
export class OrderSearch1764910000000 implements MigrationInterface {
  // Indexes that are made while purchases go on cannot be made in a transaction.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [...COLUMNS, RIGHTS]) await runner.query(sql);
    for (let last = ''; ;) {
      const rows = (await runner.query(FILL, [last, ROWS_AT_ONCE])) as { last: string | null }[];
      if (!rows[0]?.last) break;
      last = rows[0].last;
    }
    for (const [name, definition] of Object.entries(INDEXES)) {
      // An attempt that was interrupted leaves an invalid index.
      await runner.query(`drop index concurrently if exists ${name}`);
      await runner.query(`create index concurrently ${name} on ${definition}`);
    }
    for (const name of REPLACED) await runner.query(`drop index concurrently if exists ${name}`);
  }

  async down(): Promise<void> {
    throw new Error('Indexes were replaced: this migration has no way back.');
  }
}

const COLUMNS = [
  `alter table orders add column if not exists queue text, add column if not exists tracking_number text,
     add column if not exists card_last4 text, add column if not exists has_replacement boolean,
     add column if not exists has_refund boolean`,
  `alter table personal_data_keys add column if not exists placed_at timestamptz(3),
     add column if not exists phone_digest bytea, add column if not exists last_name_digest bytea,
     add column if not exists other_digests bytea[]`,
];

// The digests change with the buyer, and orders from before these columns get theirs later. The key itself never changes.
const RIGHTS = `
  grant update (placed_at, email_digest, phone_digest, last_name_digest, other_digests) on personal_data_keys to willcall_app`;

// Fills what the projection writes for existing orders.
const FILL = `
  with batch as (select id from orders where id > $1 order by id limit $2),
  filled as (
    update orders o set
      tracking_number = purchase -> 'fulfillment' -> 'data' ->> 'tracking_number',
      card_last4 = summary -> 'payment' ->> 'last_four',
      has_replacement = exists (select from events e where e.stream = 'order-' || o.id and e.type like 'Replacement%'),
      has_refund = exists (select from events e where e.stream = 'order-' || o.id and e.type = 'PaymentReleased'
        and e.data ->> 'how' = 'refunded'),
      queue = case status
        when 'exception' then 'exceptions'
        when 'pending' then case (select e.type from events e where e.stream = 'order-' || o.id
            and e.data -> 'status' is not null order by e.position desc limit 1)
          when 'OrderHeldForReview' then 'review' else 'to_confirm' end
        when 'confirmed' then case
          when exists (select from events e where e.stream = 'order-' || o.id and e.type in ('TicketsShipped', 'TicketsDelivered'))
            then null
          when purchase -> 'delivery_method' ->> 'type' = 'ship' then 'to_ship' else 'to_deliver' end
        end
    from batch where o.id = batch.id returning o.id)
  select max(id) as last from filled`;

/**
 * The lists are by time of placing, so each index ends with it: a page is read from the index in its order. Rows with a common
 * value, such as confirmed orders, need no index, because the list by time finds them soon. text_pattern_ops also finds how a text
 * begins, whatever the collation of the database.
 */
const INDEXES: Readonly<Record<string, string>> = {
  orders_queue: 'orders (queue, placed_at, id) where queue is not null',
  orders_status: `orders (status, placed_at, id) where status <> 'confirmed'`,
  orders_stage: `orders (stage, placed_at, id) where stage <> 'placed'`,
  orders_client: 'orders (client_id, placed_at, id)',
  orders_event_placed: 'orders (event_id text_pattern_ops, placed_at, id)',
  orders_listing_placed: 'orders (listing_id text_pattern_ops, placed_at, id)',
  orders_id_start: 'orders (id text_pattern_ops, placed_at)',
  orders_ref_start: 'orders (ref_id text_pattern_ops, placed_at, id)',
  orders_tracking: 'orders (tracking_number text_pattern_ops, placed_at, id) where tracking_number is not null',
  orders_card: 'orders (card_last4 text_pattern_ops, placed_at, id) where card_last4 is not null',
  orders_total: 'orders (total_cents, placed_at, id)',
  orders_quantity: 'orders (quantity, placed_at, id) where quantity > 4',
  orders_replacement: 'orders (placed_at, id) where has_replacement',
  orders_refund: 'orders (placed_at, id) where has_refund',
  personal_data_phone: 'personal_data_keys (phone_digest) where phone_digest is not null',
  personal_data_last_name:
    'personal_data_keys (last_name_digest, placed_at, order_id) where last_name_digest is not null',
  personal_data_others:
    'personal_data_keys using gin (other_digests) with (fastupdate = off) where other_digests is not null',
  personal_data_unfilled: 'personal_data_keys (order_id) where placed_at is null',
};

const REPLACED = ['orders_event', 'orders_listing', 'orders_ref_id'];
