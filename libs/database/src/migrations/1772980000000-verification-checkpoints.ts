import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How far verifications have come that are not done. */
export class VerificationCheckpoints1772980000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [CHECKPOINTS, RIGHTS]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table verification_checkpoints');
  }
}

// `id` is that of the row of maintenance_runs, or `shell`. `tries`: how often it was continued from here.
const CHECKPOINTS = `
  create table if not exists verification_checkpoints (
    id text primary key,
    state json not null,
    tries integer not null default 0
  )`;

const RIGHTS = 'grant select, insert, update, delete on verification_checkpoints to willcall_app';
