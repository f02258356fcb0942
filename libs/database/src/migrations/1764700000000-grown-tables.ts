import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keeps the planner's statistics up to date for tables that grow quickly. */
export class GrownTables1764700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [ANALYZE_GROWN_TABLES, GRANTS]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function analyze_grown_tables()');
  }
}

// With the rights of the owner, because nobody else may analyse the tables. A table that is locked, perhaps by a migration, waits for
// the next run. From a million rows on autovacuum is early enough, and an analysis is no longer cheap.
const ANALYZE_GROWN_TABLES = `
  create function analyze_grown_tables() returns text[] language plpgsql security definer
  set search_path = public, pg_temp set lock_timeout = '200ms' as $$
  declare
    grown name;
    analyzed text[] := '{}';
  begin
    if not pg_try_advisory_xact_lock(hashtext('willcall analyze grown tables')) then return analyzed; end if;
    for grown in
      select table_class.relname from pg_stat_user_tables changes join pg_class table_class on table_class.oid = changes.relid
      where changes.schemaname = 'public' and table_class.relkind = 'r' and table_class.reltuples < 1000000
        and changes.n_mod_since_analyze > greatest(100, table_class.reltuples)
    loop
      begin
        execute format('analyze %I', grown);
        analyzed := analyzed || grown::text;
      exception when lock_not_available then null;
      end;
    end loop;
    return analyzed;
  end $$;`;

const GRANTS = `
  revoke execute on function analyze_grown_tables() from public;
  grant execute on function analyze_grown_tables() to willcall_app;`;
