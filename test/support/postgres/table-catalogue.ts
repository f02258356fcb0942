import type { Pool } from 'pg';

/**
 * Everything in PostgreSQL's catalogue about a table, so that two tables can be compared. Without what belongs to the file on disk
 * (oids, sizes, ages), and without expressions in internal form, which before PostgreSQL 17 contain their place in a statement.
 */
export async function tableCatalogue(pool: Pool, table: string): Promise<Record<string, unknown[]>> {
  const parts = Object.entries(PARTS).map(
    ([name, query]) =>
      `(select coalesce(jsonb_agg(part order by part::text), '[]') from (${query}) as parts (part)) as ${name}`,
  );
  const { rows } = await pool.query<Record<string, unknown[]>>(
    `select ${parts.join(', ')}`.replaceAll('$1', `'${table}'::regclass`),
  );
  return rows[0]!;
}

const CLASS = `to_jsonb(c) - array['oid', 'reltype', 'relfilenode', 'reltoastrelid', 'relpages', 'reltuples', 'relallvisible',
  'relallfrozen', 'relfrozenxid', 'relminmxid', 'relacl']`;

const PARTS = {
  itself: `select ${CLASS} from pg_class c where oid = $1`,
  rights: `select to_jsonb(a) from pg_class c, aclexplode(relacl) a where c.oid = $1`,
  // Some releases stamp each column with a version of its own. `attndims` is only what was once declared, and `like` does not copy it.
  // `attmissingval` is what rows have that are older than the column, which a new table has none of.
  columns: `select to_jsonb(a) - array['attrelid', 'attoptions', 'attndims', 'atthasmissing', 'attmissingval'] || jsonb_build_object('default', pg_get_expr(adbin, adrelid),
    'options', array(select option from unnest(attoptions) as option where option not like 'pg_attver=%'))
    from pg_attribute a left join pg_attrdef on adrelid = attrelid and adnum = attnum where attrelid = $1`,
  indexes: `select ${CLASS} || to_jsonb(i) - array['indexrelid', 'indrelid', 'indexprs', 'indpred'] || jsonb_build_object('definition', pg_get_indexdef(indexrelid))
    from pg_index i join pg_class c on c.oid = indexrelid where indrelid = $1`,
  constraints: `select to_jsonb(c) - array['oid', 'conrelid', 'conindid', 'conbin'] || jsonb_build_object(
    'definition', pg_get_constraintdef(oid), 'index', case when conindid <> 0 then conindid::regclass end)
    from pg_constraint c where conrelid = $1`,
  triggers: `select to_jsonb(t) - array['oid', 'tgrelid'] from pg_trigger t where tgrelid = $1`,
  rules: `select to_jsonb(r) - array['oid', 'ev_class'] from pg_rewrite r where ev_class = $1`,
  policies: `select to_jsonb(p) - array['oid', 'polrelid'] from pg_policy p where polrelid = $1`,
  statistics: `select to_jsonb(s) - array['oid', 'stxrelid'] from pg_statistic_ext s where stxrelid = $1`,
  comments: `select to_jsonb(d) - 'objoid' from pg_description d where objoid = $1
    or objoid in (select indexrelid from pg_index where indrelid = $1)`,
  publications: `select to_jsonb(p) - array['oid', 'prrelid'] from pg_publication_rel p where prrelid = $1`,
};
