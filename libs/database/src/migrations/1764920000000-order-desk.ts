import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What support records beside an order: its assignee, its tags and its notes. */
export class OrderDesk1764920000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [ORDER_DESK, ORDER_NOTES, RIGHTS]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table order_notes, order_desk');
  }
}

// An order without tags and assignee needs no row.
const ORDER_DESK = `
  create table if not exists order_desk (
    order_id text primary key,
    assignee text,
    tags text[] not null default '{}'
  );
  create index if not exists order_desk_assignee on order_desk (assignee, order_id) where assignee is not null;
  create index if not exists order_desk_tags on order_desk using gin (tags);`;

const ORDER_NOTES = `
  create table if not exists order_notes (
    id text primary key,
    order_id text not null,
    at timestamptz(3) not null,
    author text not null,
    visibility text not null check (visibility in ('internal', 'partner')),
    sealed text not null
  );
  create index if not exists order_notes_order on order_notes (order_id, id);`;

// A note is never changed, and ends with the order's key.
const RIGHTS = `
  grant select, insert, update on order_desk to willcall_app;
  grant select, insert on order_notes to willcall_app;`;
