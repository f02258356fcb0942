import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the orders whose money the worker has to move. It runs while purchases go on. */
export class OrdersByPaymentStep1772010000000 implements MigrationInterface {
  // An index that is made while purchases go on cannot be made in a transaction.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // An attempt that was interrupted leaves an invalid index.
    await runner.query('drop index concurrently if exists orders_by_payment_step');
    await runner.query(`
      create index concurrently orders_by_payment_step on orders (payment_due_at)
      where payment_due_at is not null`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index concurrently if exists orders_by_payment_step');
  }
}
