import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Platform clients may be required to send a `ref_id` with each purchase. */
export class RequiredRefIds1767050000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table clients add column if not exists require_ref_id boolean not null default false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table clients drop column require_ref_id');
  }
}
