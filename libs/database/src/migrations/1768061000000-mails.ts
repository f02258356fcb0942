import type { MigrationInterface, QueryRunner } from 'typeorm';

/** E-mails to buyers. `sealed` has the address and what was written, under the order's key. */
export class Mails1768061000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table if not exists mails (
        id text primary key,
        order_id text not null,
        kind text not null,
        state text not null,
        created_at timestamptz(3) not null,
        requested_by text not null,
        due_at timestamptz(3) not null,
        attempts int not null default 0,
        lease_until timestamptz(3),
        sent_at timestamptz(3),
        error text,
        sealed bytea
      );
      create index if not exists mails_order_id on mails (order_id);
      create index if not exists mails_due_at on mails (due_at) where state in ('due', 'accepted');
      grant select, insert, update on mails to willcall_app;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table mails');
  }
}
