import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Each process says which key it seals with, so that none is retired that somebody still uses. */
export class UsedEncryptionKeys1769200001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table encryption_keys add column if not exists used_at timestamptz(3);
      grant update (used_at) on encryption_keys to willcall_app`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table encryption_keys drop column used_at');
  }
}
