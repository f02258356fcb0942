import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a worker last ran each group of TASKS. */
export class TaskGroups1772930000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [TASK_GROUPS, RIGHTS]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table task_groups');
  }
}

const TASK_GROUPS = `
  create table if not exists task_groups (
    name text primary key,
    run_at timestamptz(3) not null
  )`;

const RIGHTS = 'grant select, insert, update on task_groups to willcall_app';
