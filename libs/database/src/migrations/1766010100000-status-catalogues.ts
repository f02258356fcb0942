import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The status catalogues that staff have saved. The one with the highest version is in use, unless a file replaces it. */
export class StatusCatalogues1766010100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [STATUS_CATALOGUES, RIGHTS]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table status_catalogues');
  }
}

const STATUS_CATALOGUES = `
  create table if not exists status_catalogues (
    version int primary key,
    file json not null,
    saved_by text not null,
    saved_at timestamptz(3) not null
  )`;

// Earlier versions stay as they were.
const RIGHTS = 'grant select, insert on status_catalogues to willcall_app';
