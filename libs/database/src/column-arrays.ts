/** The columns of rows, each as an array of JSON; null without any rows. */
export type ColumnArrays<Row> = { readonly [Column in keyof Row]: readonly Row[Column][] | null };

/**
 * A statement with one row: each column of `rows` as an array of JSON, in their order. For a thousand rows that takes half of the time of
 * an array of objects, and of as many rows. `rowsOf` turns it around.
 */
export function columnArrays(columns: readonly string[], rows: string): string {
  return `select ${columns.map((column) => `json_agg(${column}) as ${column}`).join(', ')} from (${rows}) as read`;
}

/** What the database calls null is null in the rows, and a time has its form in JSON. */
export function rowsOf<Row extends object>(columns: ColumnArrays<Row> | undefined): Row[] {
  const entries = Object.entries(columns ?? {}) as [string, readonly unknown[] | null][];
  return (entries[0]?.[1] ?? []).map((_, index) => {
    const row: Record<string, unknown> = {};
    for (const [column, values] of entries) row[column] = values?.[index];
    return row as Row;
  });
}
