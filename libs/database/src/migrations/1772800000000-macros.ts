import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Several steps on an order that staff do by one act. */
export class Macros1772800000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [MACROS, RIGHTS]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table macros');
  }
}

// The steps are sealed, because a note may say anything.
const MACROS = `
  create table if not exists macros (
    id text primary key,
    name text not null,
    steps bytea not null,
    created_at timestamptz(3) not null
  )`;

const RIGHTS = 'grant select, insert, update, delete on macros to willcall_app';
