import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets a start with the application's login see whether the schema is up to date. */
export class ReadableMigrations1767020000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('grant select on migrations to willcall_app');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('revoke select on migrations from willcall_app');
  }
}
