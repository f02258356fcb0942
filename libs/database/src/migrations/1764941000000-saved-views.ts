import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Searches that staff keep for themselves or share. */
export class SavedViews1764941000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [SAVED_VIEWS, RIGHTS]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table saved_views');
  }
}

// The question is sealed, because it may name a buyer.
const SAVED_VIEWS = `
  create table if not exists saved_views (
    id text primary key,
    owner text not null,
    name text not null,
    shared boolean not null,
    question bytea not null,
    columns text[] not null,
    created_at timestamptz(3) not null
  );
  create index if not exists saved_views_owner on saved_views (owner);
  create index if not exists saved_views_shared on saved_views (id) where shared;`;

const RIGHTS = 'grant select, insert, update, delete on saved_views to willcall_app';
