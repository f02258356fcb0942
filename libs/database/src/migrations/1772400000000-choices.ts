import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What buyers of postponed shows are asked, and how many a job has asked. */
export class Choices1772400000000 implements MigrationInterface {
  // An index that is made while purchases go on cannot be made in a transaction.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table orders add column if not exists choice_job text,
        add column if not exists choice_until timestamptz(3), add column if not exists choice_answer text;
      alter table jobs add column if not exists asked int not null default 0`);
    // An attempt that was interrupted leaves an invalid index.
    await runner.query('drop index concurrently if exists orders_by_choice');
    await runner.query(`create index concurrently orders_by_choice
      on orders (choice_job, choice_answer, status, choice_until) where choice_job is not null`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table jobs drop column if exists asked;
      alter table orders drop column if exists choice_job, drop column if exists choice_until,
        drop column if exists choice_answer`);
  }
}
