import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The order in which passes have changed. Their times are no such order, because they differ by a second at least. */
export class PassChanges1772500100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create sequence if not exists pass_changes;
      alter table passes add column if not exists change bigint not null default nextval('pass_changes');
      grant usage on sequence pass_changes to willcall_app`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table passes drop column change; drop sequence pass_changes');
  }
}
