import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The time zone that the catalogue gives for a venue. Null: that of its coordinates. */
export class VenueTimeZones1769900000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table discovery_venues add column time_zone text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table discovery_venues drop column time_zone');
  }
}
