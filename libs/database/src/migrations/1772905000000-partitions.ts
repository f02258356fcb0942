import type { MigrationInterface, QueryRunner } from 'typeorm';
import { retryWhileLocked } from '../lock-retry.js';

/** `key` is the column, `end` SQL for the key at which the first partition ends, `prepare` runs while purchases go on. */
type Partitioned = Readonly<{ key: string; end: string; hasDefault: boolean; prepare?: readonly string[] }>;

/**
 * Tables that grow with every order become partitions by time, in place. No row moves: the table of today becomes the first partition. Its
 * check is validated while purchases go on, and then the names change in one transaction, which waits for its locks in short tries.
 */
export class Partitions1772905000000 implements MigrationInterface {
  // Neither concurrent indexes nor short locks work in one long transaction.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [NAMES, MAKE, DETACH, DROP, ANALYZE, GRANTS, BECOME_PARTITIONED]) await runner.query(sql);
    for (const [table, how] of Object.entries(TABLES)) await partition(runner, table, how);
    await runner.query('drop function become_partitioned(text, text, text, boolean)');
    await shortly(runner, 'select make_partitions()');
  }

  async down(): Promise<void> {
    throw new Error('Partitions may have been dropped: this migration has no way back.');
  }
}

async function partition(runner: QueryRunner, table: string, { key, end, hasDefault, prepare = [] }: Partitioned) {
  const one = async (sql: string) => ((await runner.query(sql)) as { value: unknown }[])[0]?.value;
  // Partitioned already, by an attempt that was interrupted later.
  if ((await one(`select relkind as value from pg_class where oid = 'public.${table}'::regclass`)) !== 'r') return;
  const bound = `'${String(await one(`select (${end})::text as value`))}'`;
  // Ids that no clock has made. The table stays whole, which works as well.
  if (await one(`select exists (select from ${table} where ${key} >= ${bound}) as value`)) return;
  for (const statement of prepare) await runner.query(statement);
  const check = `${table}_are_before`;
  await shortly(
    runner,
    `alter table ${table} drop constraint if exists ${check}, add constraint ${check} check (${key} < ${bound}) not valid`,
  );
  await runner.query(`alter table ${table} validate constraint ${check}`);
  await shortly(runner, `select become_partitioned('${table}', '${key}', ${bound}, ${hasDefault})`);
}

/** All statements on the table wait behind one that waits for its exclusive lock. */
async function shortly(runner: QueryRunner, statement: string): Promise<void> {
  await retryWhileLocked((lockTimeoutMs) =>
    runner.query(`set lock_timeout = ${lockTimeoutMs}; ${statement}; reset lock_timeout`),
  );
}

const renewedIndex = (table: string, column: string, constraint: string) => [
  // An attempt that was interrupted leaves an invalid index.
  `drop index concurrently if exists ${table}_${column}`,
  `create index concurrently ${table}_${column} on ${table} (${column})`,
  `alter table ${table} drop constraint if exists ${constraint}`,
];

// Two days ahead at least: until the names change, the check refuses what comes later.
const MONTH = `date_trunc('month', now() at time zone 'UTC' + interval '1 month 2 days')`;
const WEEK = `date_trunc('week', now() at time zone 'UTC' + interval '1 week 2 days') at time zone 'UTC'`;
const POSITION = `(coalesce((select max(position) from feed), 0) / 5000000 + 2) * 5000000`;

// The new indexes keep the text once for all events of an order: 0.1 kB an order where the unique ones took 0.4.
const TABLES: Readonly<Record<string, Partitioned>> = {
  events: { key: 'stream', end: `partition_bound('order-ord_', ${MONTH})`, hasDefault: true },
  ping_attempts: { key: 'order_id', end: `partition_bound('ord_', ${MONTH})`, hasDefault: true },
  recorded_requests: {
    key: 'at',
    end: WEEK,
    hasDefault: true,
    prepare: [
      `create sequence if not exists recorded_requests_ids cache 100`,
      `grant usage on sequence recorded_requests_ids to willcall_app`,
      `select setval('recorded_requests_ids', coalesce(max(id), 0) + 1000000) from recorded_requests`,
      `alter table recorded_requests alter column id drop identity if exists, alter column id set default nextval('recorded_requests_ids')`,
    ],
  },
  ping_stream: {
    key: 'position',
    end: POSITION,
    hasDefault: false,
    prepare: renewedIndex('ping_stream', 'order_id', 'ping_stream_order_id_sequence_key'),
  },
  webhook_deliveries: { key: 'position', end: POSITION, hasDefault: false },
  // A delivery that is replayed years later has an old position.
  webhook_attempts: { key: 'position', end: POSITION, hasDefault: true },
  // Last, because the others ask it where they end.
  feed: {
    key: 'position',
    end: POSITION,
    hasDefault: false,
    prepare: renewedIndex('feed', 'stream', 'feed_stream_stream_position_key'),
  },
};

// Keys, constraints, indexes, triggers and rights keep their names on the new table. Attaching finds that the first partition has the
// same indexes, and takes them over.
const BECOME_PARTITIONED = `
  create or replace function become_partitioned(named text, key text, bound text, has_default boolean) returns void language plpgsql as $$
  declare
    first text := named || '_before';
    later text[] := '{}';
    one record;
  begin
    execute format('lock table %I in access exclusive mode', named);
    for one in select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
      where conrelid = named::regclass and contype in ('p', 'u') loop
      later := later || format('alter table %I add constraint %I %s', named, one.name, one.definition);
      execute format('alter table %I rename constraint %I to %I', named, one.name, replace(one.name, named, first));
    end loop;
    for one in select relname as name, pg_get_indexdef(indexrelid) as definition from pg_index join pg_class on oid = indexrelid
      where indrelid = named::regclass and not exists (select from pg_constraint where conindid = indexrelid) loop
      later := later || one.definition;
      execute format('alter index %I rename to %I', one.name, replace(one.name, named, first));
    end loop;
    for one in select tgname as name, pg_get_triggerdef(oid) as definition, tgtype & 1 = 1 as is_of_rows from pg_trigger
      where tgrelid = named::regclass and not tgisinternal loop
      later := later || one.definition;
      -- Attaching brings those of the new table along.
      if one.is_of_rows then execute format('drop trigger %I on %I', one.name, named); end if;
    end loop;
    for one in select case grantee when 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end as name, privilege_type
      from pg_class cross join aclexplode(relacl) where oid = named::regclass and grantee <> relowner loop
      later := later || format('grant %s on %I to %s', one.privilege_type, named, one.name);
    end loop;
    execute format('alter table %I rename to %I', named, first);
    execute format('create table %I (like %I including all excluding indexes excluding identity excluding statistics)
      partition by range (%I)', named, first, key);
    execute format('alter table %I drop constraint %I', named, named || '_are_before');
    for one in select unnest(later) as statement loop execute one.statement; end loop;
    execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', named, first, bound);
    execute format('alter table %I drop constraint %I', first, named || '_are_before');
    if has_default then execute format('create table %I partition of %I default', named || '_default', named); end if;
  end $$;`;

// Ids are time-ordered UUIDs: their first twelve digits are the milliseconds.
const NAMES = `
  create or replace function partition_bound(prefix text, at timestamp) returns text language sql immutable as $$
    select prefix || lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0')
  $$;
  -- The key at which a partition ends, as text. Null for the default partition.
  create or replace function partition_end(partition regclass) returns text language sql stable as $$
    select (regexp_match(pg_get_expr(relpartbound, oid), ' TO \\(''?([^'')]+)''?\\)$'))[1] from pg_class where oid = partition
  $$;`;

// The rest of this month or week is there already, and two more. What nobody made room for goes to the default partition, so no purchase is
// ever refused; it moves to its own partition once that is made.
const MAKE = `
  create or replace function make_partitions() returns text[] language plpgsql security definer
  set search_path = public, pg_temp set lock_timeout = '25ms' set timezone = 'UTC' as $$
  declare
    made text[] := '{}';
    wanted record;
    strays boolean;
  begin
    if not pg_try_advisory_xact_lock(hashtext('willcall make partitions')) then return made; end if;
    for wanted in
      with parts as (
        select inhparent::regclass::text as parent, max(partition_end(inhrelid)) as ends
        from pg_inherits join pg_class on oid = inhparent where relnamespace = 'public'::regnamespace and relkind = 'p'
        group by inhparent),
      months as (
        select month, month + interval '1 month' as next
        from generate_series(date_trunc('month', now()::timestamp), now()::timestamp + interval '2 months', '1 month') as month),
      weeks as (
        select week, week + interval '1 week' as next
        from generate_series(date_trunc('week', now()::timestamp), now()::timestamp + interval '2 weeks', '1 week') as week),
      by_time as (
        select parent, 'stream' as key, to_char(month, 'YYYY_MM') as suffix,
          partition_bound('order-ord_', month) as low, partition_bound('order-ord_', next) as high
        from parts cross join months where parent = 'events'
        union all
        select parent, 'order_id', to_char(month, 'YYYY_MM'), partition_bound('ord_', month), partition_bound('ord_', next)
        from parts cross join months where parent = 'ping_attempts'
        union all
        select parent, 'at', to_char(week, 'YYYY_MM_DD'), week::text || '+00', next::text || '+00'
        from parts cross join weeks where parent = 'recorded_requests')
      select by_time.* from by_time join parts using (parent) where ends is null or low >= ends
      union all
      select parent, null, 'from_' || low, low::text, (low + 5000000)::text
      from parts cross join lateral (select max(partition_end(inhrelid)::bigint) as last from pg_inherits where inhparent = parent::regclass) as own
      cross join lateral generate_series(last, (select coalesce(max(position), 0) from feed) + 5000000, 5000000) as low
      where parent in ('feed', 'ping_stream', 'webhook_deliveries', 'webhook_attempts')
      order by parent, low
    loop
      begin
        execute format('create table %I (like %I including all)', wanted.parent || '_' || wanted.suffix, wanted.parent);
        if wanted.parent in ('events', 'feed') then
          execute format('create trigger stays before truncate on %I for each statement execute function refuse_change()',
            wanted.parent || '_' || wanted.suffix);
        end if;
        if wanted.key is not null then
          execute format('select exists (select from %I where %I >= %L and %I < %L)', wanted.parent || '_default',
            wanted.key, wanted.low, wanted.key, wanted.high) into strays;
          if strays then
            execute format('alter table %I disable trigger user', wanted.parent || '_default');
            execute format('with moved as (delete from %I where %I >= %L and %I < %L returning *) insert into %I select * from moved',
              wanted.parent || '_default', wanted.key, wanted.low, wanted.key, wanted.high, wanted.parent || '_' || wanted.suffix);
            execute format('alter table %I enable trigger user', wanted.parent || '_default');
          end if;
        end if;
        execute format('alter table %I attach partition %I for values from (%L) to (%L)', wanted.parent,
          wanted.parent || '_' || wanted.suffix, wanted.low, wanted.high);
        made := made || (wanted.parent || '_' || wanted.suffix);
      exception when lock_not_available then
        -- A partition may not be left out. The next run goes on here.
        return made;
      end;
    end loop;
    return made;
  end $$;`;

// Of tables with a retention. First the partition leaves its table, in milliseconds; what must be kept is looked for afterwards.
const DETACH = `
  create or replace function detach_partitions(named text, before timestamptz) returns text[] language plpgsql security definer
  set search_path = public, pg_temp set lock_timeout = '25ms' set timezone = 'UTC' as $$
  declare
    detached text[] := '{}';
    part record;
    is_over boolean;
  begin
    if named not in ('ping_attempts', 'webhook_attempts', 'recorded_requests') then raise exception '% is kept', named; end if;
    for part in select relname as name, partition_end(oid) as ends from pg_inherits join pg_class on oid = inhrelid
      where inhparent = named::regclass and partition_end(oid) is not null order by 2 loop
      is_over := case named
        when 'ping_attempts' then part.ends <= partition_bound('ord_', before::timestamp)
        when 'recorded_requests' then part.ends::timestamptz <= before
        else part.ends::bigint <= coalesce((select max(position) from feed), 0) end;
      if is_over and named = 'webhook_attempts' then
        execute format('select not exists (select from %I where started_at >= $1)', part.name) into is_over using before;
      end if;
      continue when not is_over;
      execute format('alter table %I detach partition %I', named, part.name);
      execute format('alter table %I rename to %I', part.name, 'expired_' || part.name);
      detached := detached || part.name;
    end loop;
    return detached;
  exception when lock_not_available then return '{}';
  end $$;`;

// The report on drift compares attempts of an order while one of its pings is not delivered.
const DROP = `
  create or replace function drop_detached(named text, before timestamptz) returns void language plpgsql security definer
  set search_path = public, pg_temp as $$
  declare
    part text;
    kept text := case named
      when 'ping_attempts' then 'started_at >= $1 or exists (select from pings p where p.order_id = expired.order_id and p.state <> ''delivered'')'
      when 'webhook_attempts' then 'started_at >= $1'
      when 'recorded_requests' then 'at >= $1' end;
  begin
    if kept is null then raise exception '% is kept', named; end if;
    for part in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      and starts_with(relname, 'expired_' || named || '_') and not relispartition loop
      execute format('insert into %I select * from %I as expired where %s', named, part, kept) using before;
      execute format('drop table %I', part);
    end loop;
  end $$;`;

// Autovacuum never analyses the whole of a partitioned table, and joins are planned by its statistics.
const ANALYZE = `
  create or replace function analyze_grown_tables() returns text[] language plpgsql security definer
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
      union all
      select whole.relname from pg_class whole join pg_inherits on inhparent = whole.oid join pg_class part on part.oid = inhrelid
      where whole.relnamespace = 'public'::regnamespace and whole.relkind = 'p'
      group by whole.oid, whole.relname, whole.reltuples
      having sum(greatest(part.reltuples, 0)) > 2 * greatest(whole.reltuples, 50)
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
  revoke execute on function make_partitions(), detach_partitions(text, timestamptz), drop_detached(text, timestamptz) from public;
  grant execute on function make_partitions(), detach_partitions(text, timestamptz), drop_detached(text, timestamptz) to willcall_app`;
