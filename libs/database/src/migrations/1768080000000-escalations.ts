import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Orders that stay in a queue for too long, and what then happens to them. */
export class Escalations1768080000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [RULES, ESCALATIONS, ITEMS]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table queue_escalations; drop table work_escalations;
      alter table work_items drop column escalated_at`);
  }
}

// A queue without a row escalates nothing.
const RULES = `
  create table if not exists queue_escalations (
    queue text primary key,
    after_minutes int not null,
    assignee text,
    notify text
  );
  grant select, insert, update, delete on queue_escalations to willcall_app;`;

// `since` is when the order came into its queue, so it escalates once for each stay. A notice is one e-mail about several orders.
const ESCALATIONS = `
  create table if not exists work_escalations (
    order_id text not null,
    since timestamptz(3) not null,
    queue text not null,
    escalated_at timestamptz(3) not null,
    notify text,
    notice_id text,
    notice_until timestamptz(3),
    announced_at timestamptz(3),
    primary key (order_id, since)
  );
  create index if not exists work_escalations_unannounced on work_escalations (notify, escalated_at)
    where notify is not null and announced_at is null;
  grant select, insert, update, delete on work_escalations to willcall_app;`;

// Only the worker writes work_items, so nobody else waits while the indexes are made.
const ITEMS = `
  alter table work_items add column if not exists escalated_at timestamptz(3);
  create index if not exists work_items_escalated on work_items (place, due_at, order_id)
    where escalated_at is not null and place is not null;
  create index if not exists work_items_calm on work_items (queue, since) where escalated_at is null and place is not null;
  create index if not exists work_items_calm_overdue on work_items (due_at) where escalated_at is null and place = 'overdue';`;
