import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Providers that have no money for refunds now, and why a job has paused by itself. */
export class RefundJobs1772300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table jobs add column if not exists reason text;
      create index if not exists jobs_paused_by_themselves on jobs (id) where reason is not null;
      create table if not exists provider_shortages (
        provider text primary key,
        since timestamptz(3) not null,
        tried_at timestamptz(3) not null
      );
      grant select, insert, update, delete on provider_shortages to willcall_app;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table provider_shortages; alter table jobs drop column reason;');
  }
}
