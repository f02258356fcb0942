import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Parts of payments that the sandbox gave back. The id is the key of the call, so a repeated one changes nothing. */
export class SandboxReleases1768090000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table if not exists sandbox_releases (
        id text primary key,
        order_id text not null,
        amount_cents bigint not null,
        created_at timestamptz(3) not null
      );
      grant select, insert, update, delete on sandbox_releases to willcall_app;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table sandbox_releases');
  }
}
