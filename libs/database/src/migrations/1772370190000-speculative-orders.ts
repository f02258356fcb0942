import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What orders are found by of their listing: the seller's own id, and whether the seller had the tickets. */
export class SpeculativeOrders1772370190000 implements MigrationInterface {
  // An index that is made while purchases go on cannot be made in a transaction.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table orders add column if not exists external_id text,
        add column if not exists speculative boolean not null default false`);
    for (const [name, on] of Object.entries(INDEXES)) {
      // An attempt that was interrupted leaves an invalid index.
      await runner.query(`drop index concurrently if exists ${name}`);
      await runner.query(`create index concurrently ${name} on orders ${on}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table orders drop column if exists external_id, drop column if exists speculative');
  }
}

const INDEXES = {
  orders_by_external_id: '(external_id, placed_at desc, id desc) where external_id is not null',
  orders_speculative: '(placed_at desc, id desc) where speculative',
};
