import { type ClientBase, DatabaseError } from 'pg';

// An interrupted rebuild leaves everything in this schema, so dropping it cleans up.
export const REBUILD_SCHEMA = 'willcall_rebuild';

// The first table is here while its views go over to the second, whose indexes need its names.
const REPLACED_SCHEMA = 'willcall_replaced';

// Above deadlock_timeout (1 s): an autovacuum gives way only to a session that waits that long.
const WRITERS_WAIT_MS = 1_500;
// Below it: when a reader of the table also wants to write it, the rebuild steps back.
const READERS_WAIT_MS = 300;
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';

type Partition = { name: string; bound: string };

/** Takes the place of the first table once it is filled. In its own schema its indexes and constraints have their final names. */
export class SecondTable {
  private constructor(
    private readonly client: ClientBase,
    private readonly first: string,
    readonly name: string,
    private readonly schema: string,
    /** Empty for a table that is whole. */
    private readonly partitions: readonly Partition[],
  ) {}

  /** Starts empty and without indexes. Removes the remains of an interrupted rebuild. */
  static async beside(client: ClientBase, table: string): Promise<SecondTable> {
    const { rows } = await client.query<{ schema: string; options: string | null; partition_by: string | null }>(
      `select quote_ident(nspname) as schema, array_to_string(reloptions, ', ') as options,
         pg_get_partkeydef(c.oid) as partition_by
       from pg_class c join pg_namespace n on n.oid = relnamespace where c.oid = $1::regclass`,
      [table],
    );
    const { schema, options, partition_by: key } = rows[0]!;
    const { rows: partitions } = await client.query<Partition>(PARTITIONS, [table]);
    const second = new SecondTable(client, `${schema}.${table}`, `${REBUILD_SCHEMA}.${table}`, schema, partitions);
    await client.query(`
      drop schema if exists ${REBUILD_SCHEMA} cascade;
      create schema ${REBUILD_SCHEMA};
      create table ${second.name} (like ${second.first} including all excluding indexes)
        ${options === null ? '' : `with (${options})`} ${key === null ? '' : `partition by ${key}`};
      ${partitions.map(({ name, bound }) => `create table ${REBUILD_SCHEMA}.${name} partition of ${second.name} ${bound};`).join('\n')}`);
    return second;
  }

  /** Building indexes over all rows at once is a tenth of the work. */
  async complete(): Promise<void> {
    const { rows } = await this.client.query<{ statement: string }>(LIKE_THE_FIRST, [this.first, this.name]);
    for (const { statement } of rows) await this.client.query(statement);
    // Without statistics the planner would guess for the first queries after the exchange. The flush to disk happens here, so that
    // writers do not wait for it at the commit of the exchange.
    await this.client.query(`set synchronous_commit = on; analyze ${this.name}`);
  }

  /**
   * Runs in one transaction. Writers wait during `catchUp`, readers only for the last moment. Returns false, and changes nothing, when
   * other sessions used the first table for too long.
   */
  async replaceFirst(catchUp: () => Promise<void>): Promise<boolean> {
    const { client, first, name, schema } = this;
    try {
      await client.query(`begin; set local lock_timeout = ${WRITERS_WAIT_MS};
        lock table ${first} in share row exclusive mode`);
      await catchUp();
      const { rows: views } = await client.query<{ statement: string }>(VIEWS_OVER, [first]);
      await client.query(`set local lock_timeout = ${READERS_WAIT_MS};
        create schema ${REPLACED_SCHEMA}; alter table ${first} set schema ${REPLACED_SCHEMA};
        ${this.partitions.map((part) => `alter table ${schema}.${part.name} set schema ${REPLACED_SCHEMA};`).join('\n')}
        alter table ${name} set schema ${schema};
        ${this.partitions.map((part) => `alter table ${REBUILD_SCHEMA}.${part.name} set schema ${schema};`).join('\n')}
        ${views.map(({ statement }) => statement).join('\n')}
        drop schema ${REPLACED_SCHEMA}, ${REBUILD_SCHEMA} cascade; commit`);
      return true;
    } catch (error) {
      await client.query('rollback');
      if (error instanceof DatabaseError && (error.code === LOCK_NOT_AVAILABLE || error.code === DEADLOCK))
        return false;
      throw error;
    }
  }
}

// Each moves by itself.
const PARTITIONS = `
  select quote_ident(relname) as name, pg_get_expr(relpartbound, oid) as bound
  from pg_inherits join pg_class on oid = inhrelid where inhparent = $1::regclass order by inhseqno, relname`;

// A view stays with its table whatever that is called. Made anew, it keeps its owner, its rights and its comments.
const VIEWS_OVER = `
  select distinct format('create or replace view %s as %s', ev_class::regclass, pg_get_viewdef(ev_class)) as statement
  from pg_depend join pg_rewrite on pg_rewrite.oid = objid
  where classid = 'pg_rewrite'::regclass and refclassid = 'pg_class'::regclass and refobjid = $1::regclass and ev_class <> refobjid`;

// $1 is the first table, $2 the second. The owner has all rights without a grant.
const LIKE_THE_FIRST = `
  with first as (select c.*, format('%I.%I', nspname, relname) as name
    from pg_class c join pg_namespace n on n.oid = relnamespace where c.oid = $1::text::regclass)
  select statement from (
    select 1 as step, regexp_replace(pg_get_indexdef(indexrelid), ' ON (ONLY )?\\S+ USING ', ' ON ' || $2::text || ' USING ') as statement
    from first join pg_index on indrelid = first.oid
    where not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))
    union all
    select 2, format('alter table %s add constraint %I %s', $2::text, conname, pg_get_constraintdef(c.oid))
    from first join pg_constraint c on conrelid = first.oid and contype in ('p', 'u')
    union all
    select 3, format('alter table %s owner to %I', $2::text, pg_get_userbyid(relowner)) from first
    union all
    select 4, format('grant %s on %s to %s%s', privilege_type, $2::text,
      case grantee when 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end,
      case when is_grantable then ' with grant option' else '' end)
    from first, aclexplode(relacl) where grantee <> relowner
  ) as statements order by step`;
