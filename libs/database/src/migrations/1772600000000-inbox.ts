import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What people of the back office are told: who mentioned them, and what they were given to do. And who looks at an order now. */
export class Inbox1772600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [NOTICES, MENTIONS, PRESENCE]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table order_presence, inbox_notices;
      alter table order_notes drop column mentions;
      alter table operators drop column inbox_mails`);
  }
}

const NOTICES = `
  alter table operators add column if not exists inbox_mails boolean not null default true;
  create table if not exists inbox_notices (
    id bigint generated always as identity primary key,
    operator_id text not null,
    kind text not null,
    order_id text not null,
    orders int not null,
    cause text,
    actor text not null,
    at timestamptz(3) not null,
    read_at timestamptz(3),
    to_mail boolean not null,
    mail_id text,
    mail_until timestamptz,
    attempts int not null default 0
  );
  create unique index if not exists inbox_of_cause on inbox_notices (operator_id, cause) where cause is not null;
  create index if not exists inbox_of_operator on inbox_notices (operator_id, id);
  create index if not exists inbox_unread on inbox_notices (operator_id) where read_at is null;
  create index if not exists inbox_to_mail on inbox_notices (operator_id) where to_mail;
  create index if not exists inbox_by_time on inbox_notices (at);
  grant select, insert, update, delete on inbox_notices to willcall_app`;

const MENTIONS = `alter table order_notes add column if not exists mentions text[] not null default '{}'`;

// Nothing of it is worth a line in the log of the database: it is true for half a minute.
const PRESENCE = `
  create unlogged table if not exists order_presence (
    order_id text not null,
    operator_id text not null,
    since timestamptz(3) not null,
    seen_at timestamptz(3) not null,
    primary key (order_id, operator_id)
  );
  create index if not exists order_presence_by_time on order_presence (since);
  grant select, insert, update, delete on order_presence to willcall_app`;
