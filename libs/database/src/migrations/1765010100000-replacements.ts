import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tickets of other listings that an order holds: offered in place of its own, or sent before it got others. */
export class Replacements1765010100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table orders add column if not exists other_tickets json');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table orders drop column other_tickets');
  }
}
