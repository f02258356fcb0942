import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An index of orders with a tracking number. The newest have none yet, and a search for the others read ten thousand of them first. */
export class TrackedOrders1768095061000 implements MigrationInterface {
  // An index that is made while purchases go on cannot be made in a transaction.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // An attempt that was interrupted leaves an invalid index.
    await runner.query('drop index concurrently if exists orders_tracked');
    await runner.query(
      'create index concurrently orders_tracked on orders (placed_at, id) where tracking_number is not null',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index concurrently orders_tracked');
  }
}
