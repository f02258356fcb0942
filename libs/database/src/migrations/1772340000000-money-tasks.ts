import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Work about money that only a person can do. */
export class MoneyTasks1772340000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table if not exists money_tasks (
        id text primary key,
        subject text not null unique,
        kind text not null check (kind in ('capture_failed', 'hold_expires', 'refund_failed', 'difference', 'dispute', 'unknown')),
        order_id text,
        reference text,
        due_at timestamptz(3),
        ours jsonb,
        theirs jsonb,
        opened_at timestamptz(3) not null,
        done_at timestamptz(3),
        done_by text,
        note text
      );
      create index if not exists money_tasks_due on money_tasks (coalesce(due_at, 'infinity'), id);
      create index if not exists money_tasks_open on money_tasks (order_id) where done_at is null;
      grant select, insert, update, delete on money_tasks to willcall_app;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table money_tasks');
  }
}
