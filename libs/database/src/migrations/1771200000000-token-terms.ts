import type { MigrationInterface, QueryRunner } from 'typeorm';

/** API tokens can be limited to sellers, and tokens of the ping stream can end. Those that there are keep having no end. */
export class TokenTerms1771200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table api_tokens add column if not exists sellers text[]');
    await runner.query('alter table stream_tokens add column if not exists expires_at timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table stream_tokens drop column expires_at');
    await runner.query('alter table api_tokens drop column sellers');
  }
}
