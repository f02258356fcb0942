import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many sign-ins were refused in a quarter of an hour. The audit log gets the sum, instead of an entry for each. */
export class RefusedSignIns1770300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [TABLE, RIGHTS]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table refused_sign_ins');
  }
}

// `since` begins the quarter. `entries` counts the tries that the audit log has one by one.
const TABLE = `
  create table if not exists refused_sign_ins (
    since timestamptz(3) not null,
    subject text not null,
    reason text not null,
    network text not null,
    tries bigint not null,
    entries bigint not null,
    primary key (since, subject, reason, network)
  )`;

const RIGHTS = 'grant select, insert, update, delete on refused_sign_ins to willcall_app';
