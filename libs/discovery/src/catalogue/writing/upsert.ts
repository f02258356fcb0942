import type { ClientBase } from 'pg';
import { stringifyJson } from '#base/json';
import type { Derived } from './derived-columns.js';

/** How to write the rows of a table: its own columns with their SQL types (`id bigint, …`), and computed columns. */
export type Table = Readonly<{
  name: string;
  own: string;
  /** Inputs that are not columns; `preserved` uses them. */
  given?: string;
  /** Columns that depend on the existing row, as SQL over `given` and `old` (null if there is none). */
  preserved?: Readonly<Record<string, string>>;
  derived?: Derived;
}>;

/** Writes the rows that differ from the stored ones and returns their ids. Needs the catalogue lock. */
export async function upsert(
  client: ClientBase,
  table: Table,
  rows: readonly Readonly<{ id: number }>[],
): Promise<number[]> {
  if (rows.length === 0) return [];
  const { rows: changed } = await client.query<{ id: number }>(statementFor(table), [stringifyJson(rows)]);
  return changed.map(({ id }) => id);
}

const statements = new Map<Table, string>();

function statementFor(table: Table): string {
  const statement = statements.get(table) ?? makeStatement(table);
  statements.set(table, statement);
  return statement;
}

function makeStatement({ name, own, given, preserved = {}, derived }: Table): string {
  const ownColumns = own.split(',').map((column) => column.trim().replace(/ .*/, ''));
  const columns = [...ownColumns, ...Object.keys(preserved), ...(derived?.columns ?? [])];
  const notId = columns.filter((column) => column !== 'id');
  const keptAs = Object.entries(preserved).map(([column, sql]) => `, ${sql} as ${column}`);
  return `
    with given as (select * from json_to_recordset($1::json) as lines (${[own, given].filter(Boolean).join(', ')})),
    facts as materialized (select given.*${keptAs.join('')} from given left join ${name} as old on old.id = given.id)
    ${derived ? `, ${derived.query}` : ''}
    insert into ${name} as old (${columns.join(', ')})
    select ${columns.map((column) => `${derived?.columns.includes(column) ? 'derived' : 'facts'}.${column}`).join(', ')}
    from facts ${derived ? 'join derived using (id)' : ''} order by id
    on conflict (id) do update set ${notId.map((column) => `${column} = excluded.${column}`).join(', ')}
    where ${differs('old', 'excluded', notId)}
    returning id`;
}

// The type json has no equality operator.
const JSON_COLUMNS = ['own', 'document', 'images'];

/** Whether two rows differ in one of these columns, in SQL. */
export function differs(one: string, other: string, columns: readonly string[]): string {
  const list = (row: string) =>
    columns.map((name) => `${row}.${name}${JSON_COLUMNS.includes(name) ? '::text' : ''}`).join(', ');
  return `(${list(one)}) is distinct from (${list(other)})`;
}

/** A score that comes from sales stays until Popularity recomputes it. Otherwise the imported score counts. */
export const SHOWN_SCORE = 'case when old.score <> old.imported_score then old.score else given.imported_score end';
