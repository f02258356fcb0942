import { hash } from 'node:crypto';
import type { Pool } from 'pg';

const WITH_DELAY = ['recorded_requests', 'personal_data_reads', 'encryption_keys'].map((name) => `public.${name}`);

/** The number of rows and a checksum of the contents of each table, but for those that are written with a delay or from time to time. */
export async function tableState(pool: Pool): Promise<Record<string, string>> {
  // A sum needs no sorting. Some tests compare the tables thousands of times.
  const text = (await tables(pool))
    .filter((name) => !WITH_DELAY.includes(name))
    .map(
      (name) => `select '${name}' as name,
          count(*) || ' rows, ' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) as state from ${name} t`,
    )
    .join(' union all ');
  // Prepared, because planning a statement over all tables takes longer than executing it.
  const { rows } = await pool.query<{ name: string; state: string }>({ name: hash('sha1', text), text });
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
    `select format('%I.%I', nspname, relname) as name from pg_class c join pg_namespace n on n.oid = relnamespace
     where relkind in ('r', 'p') and not relispartition and nspname not in ('pg_catalog', 'information_schema')
       and relname <> 'platform_reads' order by 1`,
  );
  return rows.map(({ name }) => name);
}
