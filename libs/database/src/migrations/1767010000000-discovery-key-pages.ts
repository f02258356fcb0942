import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The largest page of a discovery key: existing keys keep 5,000, which every key had, and new ones begin with 500. */
export class DiscoveryKeyPages1767010000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table discovery_keys add column if not exists max_per_page int not null default 5000
        check (max_per_page between 1 and 5000)`);
    await runner.query('alter table discovery_keys alter column max_per_page set default 500');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table discovery_keys drop column max_per_page');
  }
}
