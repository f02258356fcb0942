import type { Pool } from 'pg';

/** Of each table how many rows it has and a digest of all they hold: two equal states are one and the same database. */
export async function tableState(pool: Pool): Promise<Record<string, string>> {
  const { rows } = await pool.query<{ name: string; state: string }>(
    (await tables(pool))
      .map(
        (name) => `select '${name}' as name,
          count(*) || ' rows, ' || md5(coalesce(string_agg(t::text, ' ' order by t::text), '')) as state from ${name} t`,
      )
      .join(' union all '),
  );
  return Object.fromEntries(rows.map(({ name, state }) => [name, state]));
}

/** The tables whose state differs, in the order of their names: parts of a union may come in any. */
export function changedTables(before: Record<string, string>, after: Record<string, string>): string[] {
  return Object.keys(after)
    .filter((name) => before[name] !== after[name])
    .toSorted();
}

/** Every row of every table as text, to be searched for what must not be there. */
export async function everythingStored(pool: Pool): Promise<string> {
  const texts: string[] = [];
  for (const name of await tables(pool)) {
    const { rows } = await pool.query<{ row: string }>(`select row_to_json(t)::text as row from ${name} t`);
    texts.push(...rows.map(({ row }) => row));
  }
  return texts.join('\n');
}

/** Without the one that is written some time after what it is about. */
async function tables(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema') and tablename <> 'platform_reads' order by 1`,
  );
  return rows.map(({ name }) => name);
}
