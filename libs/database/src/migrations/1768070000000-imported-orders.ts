import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Pings of imported orders: another installation has sent them. */
export class ImportedOrders1768070000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Null for all others, so that the column costs nothing.
    await runner.query('alter table pings add column if not exists imported boolean');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table pings drop column imported');
  }
}
