import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts the changes of tags and assignee of an order, so that two people cannot overwrite each other. */
export class DeskVersion1765010000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table order_desk add column if not exists version int not null default 1');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table order_desk drop column version');
  }
}
