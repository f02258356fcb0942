import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which performers the same people buy tickets for. */
export class Recommendations1764500000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(AFFINITY);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table discovery_performer_affinity');
  }
}

// Each pair is stored in both directions. `buyers` people bought tickets for both, for different events. weight is above 0 and below 1.
// Computed from orders in the background, so it may be emptied at any time.
const AFFINITY = `
  create table discovery_performer_affinity (
    performer_id int not null,
    other_id int not null,
    buyers int not null,
    weight double precision not null,
    primary key (performer_id, other_id)
  );
  grant select, insert, update, delete on discovery_performer_affinity to willcall_app;`;
