import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How often each program has read buyers' data in clear in an hour. The audit log gets the sum, instead of an entry for each. */
export class PersonalDataReads1771000100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [TABLE, RIGHTS]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table personal_data_reads');
  }
}

// `since` begins the hour. `listed` counts the reads that the audit log has already.
const TABLE = `
  create table if not exists personal_data_reads (
    since timestamptz(3) not null,
    actor text not null,
    reads bigint not null,
    listed bigint not null,
    primary key (since, actor)
  )`;

const RIGHTS = 'grant select, insert, update, delete on personal_data_reads to willcall_app';
