import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The epoch of the database: a name that changes when a restore or a failover may have lost the newest rows. */
export class Epoch1764860000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [TABLE, IDENTITY, CURRENT_EPOCH, RENEW_EPOCH, GRANTS]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function current_epoch(), renew_epoch(), database_identity()');
    await runner.query('drop table database_epoch');
  }
}

const TABLE = `
  create table if not exists database_epoch (
    only_row boolean primary key default true check (only_row),
    epoch text not null,
    identity text not null,
    since timestamptz not null default now()
  );`;

// Identifies this history: the cluster, its timeline and the database. pg_control_checkpoint() would name the timeline of the last
// checkpoint, which is the old one for a while after a promotion. A managed server may refuse a function; that part then never changes.
const IDENTITY = `
  create or replace function database_identity() returns text language plpgsql
  set search_path = pg_catalog, pg_temp as $$
  declare
    cluster text := '?';
    timeline text := '?';
  begin
    begin
      select system_identifier::text into cluster from pg_control_system();
    exception when insufficient_privilege or undefined_function or feature_not_supported then null;
    end;
    begin
      timeline := left(pg_walfile_name(pg_current_wal_lsn()), 8);
    exception when insufficient_privilege or undefined_function or feature_not_supported then null;
    end;
    return cluster || '/' || timeline || '/' || (select oid from pg_database where datname = current_database());
  end $$;`;

// With the rights of the owner, because the application may not write the table. The new name must survive a crash of the server,
// because readers who have received it compare with it.
const CURRENT_EPOCH = `
  create or replace function current_epoch() returns text language plpgsql security definer
  set search_path = public, pg_temp as $$
  declare
    known database_epoch;
    actual text;
  begin
    if pg_is_in_recovery() then
      raise exception 'the database is in recovery' using errcode = 'cannot_connect_now';
    end if;
    actual := database_identity();
    select * into known from database_epoch;
    if known.identity is not distinct from actual then return known.epoch; end if;
    perform set_config('synchronous_commit', 'on', true);
    insert into database_epoch (epoch, identity) values (left(replace(gen_random_uuid()::text, '-', ''), 12), actual)
    on conflict (only_row) do update set epoch = excluded.epoch, identity = excluded.identity, since = excluded.since
      where database_epoch.identity <> excluded.identity;
    return (select epoch from database_epoch);
  end $$;`;

// For the owner, after a restore that the identity does not show. Processes check the epoch when they reconnect.
const RENEW_EPOCH = `
  create or replace function renew_epoch() returns text language plpgsql
  set search_path = public, pg_temp as $$
  declare
    renewed text := left(replace(gen_random_uuid()::text, '-', ''), 12);
  begin
    perform set_config('synchronous_commit', 'on', true);
    insert into database_epoch (epoch, identity) values (renewed, database_identity())
    on conflict (only_row) do update set epoch = excluded.epoch, identity = excluded.identity, since = now();
    return renewed;
  end $$;`;

const GRANTS = `
  revoke all on database_epoch from public;
  revoke execute on function database_identity(), current_epoch(), renew_epoch() from public;
  grant select on database_epoch to willcall_app;
  grant execute on function current_epoch() to willcall_app;`;
