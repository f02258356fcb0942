import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the order that has a payment: an import must not take that of another one. It runs while purchases go on. */
export class PaymentReferences1770600000000 implements MigrationInterface {
  // An index that is made while purchases go on cannot be made in a transaction.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // An attempt that was interrupted leaves an invalid index.
    await runner.query('drop index concurrently if exists orders_by_payment');
    await runner.query(`
      create index concurrently orders_by_payment on orders ((summary #>> '{payment,reference}'))
      where summary #>> '{payment,reference}' is not null`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index concurrently if exists orders_by_payment');
  }
}
