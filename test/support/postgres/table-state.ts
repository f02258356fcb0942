import type { Pool } from 'pg';

/** The number of rows and a digest of the contents of each table, but for requests, which are written with a delay. */
export async function tableState(pool: Pool): Promise<Record<string, string>> {
  const { rows } = await pool.query<{ name: string; state: string }>(
    (await tables(pool))
      .filter((name) => name !== 'public.recorded_requests')
      .map(
        (name) => `select '${name}' as name,
          count(*) || ' rows, ' || md5(coalesce(string_agg(t::text, ' ' order by t::text), '')) as state from ${name} t`,
      )
      .join(' union all '),
  );
  return Object.fromEntries(rows.map(({ name, state }) => [name, state]));
}

/** The names of the tables whose state differs, sorted. */
export function changedTables(before: Record<string, string>, after: Record<string, string>): string[] {
  return Object.keys(after)
    .filter((name) => before[name] !== after[name])
    .toSorted();
}

/** Every row of every table as text, to search for what must not be stored. */
export async function everythingStored(pool: Pool): Promise<string> {
  const texts: string[] = [];
  for (const name of await tables(pool)) {
    const { rows } = await pool.query<{ row: string }>(`select row_to_json(t)::text as row from ${name} t`);
    texts.push(...rows.map(({ row }) => row));
  }
  return texts.join('\n');
}

/** Without `platform_reads`, which is written with a delay. */
async function tables(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema') and tablename <> 'platform_reads' order by 1`,
  );
  return rows.map(({ name }) => name);
}
