import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rebuilds and verifications: the request, the progress and the result. */
export class MaintenanceRuns1766010000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [MAINTENANCE_RUNS, RIGHTS]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table maintenance_runs');
  }
}

// At most one run waits. A run that is `running` although nobody holds the lock of maintenance was interrupted.
const MAINTENANCE_RUNS = `
  create table if not exists maintenance_runs (
    id text primary key,
    kind text not null check (kind in ('rebuild', 'verify')),
    projection text,
    state text not null check (state in ('requested', 'running', 'done', 'failed', 'cancelled')),
    requested_by text not null,
    requested_at timestamptz(3) not null,
    started_at timestamptz(3),
    reported_at timestamptz(3),
    finished_at timestamptz(3),
    cancelled_by text,
    step text,
    done bigint not null default 0,
    total bigint not null default 0,
    result json,
    error text,
    check ((kind = 'rebuild') = (projection is not null))
  );
  create unique index if not exists maintenance_runs_requested on maintenance_runs (state) where state = 'requested';
  create index if not exists maintenance_runs_rebuilt on maintenance_runs (projection, finished_at)
    where kind = 'rebuild' and state = 'done';`;

const RIGHTS = 'grant select, insert, update, delete on maintenance_runs to willcall_app';
