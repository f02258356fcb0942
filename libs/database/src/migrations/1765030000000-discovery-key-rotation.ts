import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A discovery key's earlier secret, which is accepted for a while after a rotation. */
export class DiscoveryKeyRotation1765030000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table discovery_keys
        add column if not exists previous_digest bytea,
        add column if not exists previous_until timestamptz(3)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table discovery_keys drop column previous_digest, drop column previous_until');
  }
}
