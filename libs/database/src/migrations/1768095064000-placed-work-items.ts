import type { MigrationInterface, QueryRunner } from 'typeorm';

const ROWS_AT_ONCE = 5_000;

/** The open orders of a queue in the order of the list. A search for a queue looked up each of its orders to find a few. */
export class PlacedWorkItems1768095064000 implements MigrationInterface {
  // An index that is made while the queues are used cannot be made in a transaction.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of STATEMENTS) await runner.query(sql);
    for (let last = ''; ;) {
      const rows = (await runner.query(FILL, [last, ROWS_AT_ONCE])) as { last: string | null }[];
      if (!rows[0]?.last) break;
      last = rows[0].last;
    }
    // An attempt that was interrupted leaves an invalid index.
    await runner.query('drop index concurrently if exists work_items_placed');
    await runner.query(
      'create index concurrently work_items_placed on work_items (place, placed_at, order_id) where place is not null',
    );
  }

  async down(): Promise<void> {
    throw new Error('Searches need this column: this migration has no way back.');
  }
}

// By a trigger, because a worker of the version before may still add rows.
const STATEMENTS = [
  'alter table work_items add column if not exists placed_at timestamptz(3)',
  `create or replace function place_work_item() returns trigger language plpgsql as $$
   begin
     select placed_at into new.placed_at from orders where id = new.order_id;
     return new;
   end $$`,
  `create or replace trigger work_items_are_placed before insert on work_items
     for each row execute function place_work_item()`,
];

const FILL = `
  with batch as (select order_id from work_items where order_id > $1 order by order_id limit $2),
  filled as (update work_items w set placed_at = o.placed_at from batch join orders o on o.id = batch.order_id
    where w.order_id = batch.order_id and w.placed_at is null)
  select max(order_id) as last from batch`;
