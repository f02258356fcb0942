import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Disputes of all orders. Without a due time they come last. An imported file may name the dispute of another order. */
export class Disputes1772330000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table if not exists disputes (
        id text not null,
        order_id text not null,
        provider text,
        reference text,
        kind text not null,
        state text not null,
        inquiry boolean not null,
        reason text not null,
        amount_cents bigint not null,
        currency text not null,
        opened_at timestamptz(3) not null,
        due_at timestamptz(3),
        sent_at timestamptz(3),
        closed_at timestamptz(3),
        note_position int,
        primary key (order_id, id)
      );
      create index if not exists disputes_due on disputes (coalesce(due_at, 'infinity'), id);
      create index if not exists disputes_by_id on disputes (id);
      grant select, insert, update, delete on disputes to willcall_app;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table disputes');
  }
}
