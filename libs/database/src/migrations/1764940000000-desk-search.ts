import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes that find orders by assignee and tag. */
export class DeskSearch1764940000000 implements MigrationInterface {
  // Indexes that are made while purchases go on cannot be made in a transaction.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of STATEMENTS) await runner.query(sql);
    for (const [name, definition] of Object.entries(INDEXES)) {
      // An attempt that was interrupted leaves an invalid index.
      await runner.query(`drop index concurrently if exists ${name}`);
      await runner.query(`create index concurrently ${name} on ${definition}`);
    }
  }

  async down(): Promise<void> {
    throw new Error('Searches need these columns: this migration has no way back.');
  }
}

// The desk repeats when its order was placed, so that the orders of an assignee are read in the order of the list.
const STATEMENTS = [
  'alter table orders add column if not exists seller text',
  'alter table order_desk add column if not exists placed_at timestamptz(3)',
  `create or replace function place_order_desk() returns trigger language plpgsql as $$
   begin
     select placed_at into new.placed_at from orders where id = new.order_id;
     return new;
   end $$`,
  `create or replace trigger order_desk_is_placed before insert on order_desk
     for each row execute function place_order_desk()`,
  `update order_desk desk set placed_at = o.placed_at from orders o
     where o.id = desk.order_id and desk.placed_at is distinct from o.placed_at`,
];

const INDEXES: Readonly<Record<string, string>> = {
  order_desk_assigned: 'order_desk (assignee, placed_at, order_id) where assignee is not null',
  order_desk_placed: 'order_desk (placed_at, order_id)',
};
