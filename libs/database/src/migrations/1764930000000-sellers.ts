import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The seller of an order, for brokers, who see the orders of their own sellers only. */
export class Sellers1764930000000 implements MigrationInterface {
  // An index that is made while purchases go on cannot be made in a transaction.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table orders add column if not exists seller text');
    // An attempt that was interrupted leaves an invalid index.
    await runner.query('drop index concurrently if exists orders_seller');
    // Partial, so that an installation without sellers pays nothing for it.
    await runner.query(
      'create index concurrently orders_seller on orders (seller, placed_at desc, id desc) where seller is not null',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table orders drop column seller');
  }
}
