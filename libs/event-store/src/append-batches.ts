import type { QueryConfig } from 'pg';
import type { AppendedRows, AppendStatement, ContendedRow } from './append-statement.js';

// Each batch size has its own prepared statement, so there are only a few: three appends are sent as a batch of two and one more.
export const LARGEST_BATCH = 8;
const SIZES = [LARGEST_BATCH, 4, 2, 1];

/** Splits a list into batches of the sizes that have prepared statements. */
export function* inSizes<T>(all: readonly T[]): Generator<readonly [T, ...T[]]> {
  let from = 0;
  while (from < all.length) {
    const size = SIZES.find((fitting) => fitting <= all.length - from) ?? 1;
    const [first, ...others] = all.slice(from, from + size);
    if (first !== undefined) yield [first, ...others];
    from += size;
  }
}

/** `stream`: one of those that it writes. */
export type BatchStatement = Readonly<{ stream: string; query: QueryConfig }>;

/**
 * The statements for appends of one transaction. What waits for no contended row comes first, several appends in a statement. The contended
 * rows follow in the order of their keys, so that two transactions never wait for each other's rows, and are locked as briefly as possible.
 */
export function statementsOf(statement: AppendStatement, appends: readonly AppendedRows[]): readonly BatchStatement[] {
  const parts = appends.map((append) => statement.split(append));
  const shapes = new Map<string, AppendedRows[]>();
  const others: AppendedRows[] = [];
  for (const { append } of parts) {
    const shape = statement.shapeOf(append);
    if (!statement.standsAlone(append)) others.push(append);
    else if (!shapes.get(shape)?.push(append)) shapes.set(shape, [append]);
  }
  const batches = [
    ...[...shapes.values()].flatMap((same) => [...inSizes(same)]),
    ...others.map((one) => [one] as const),
  ];
  const contended = parts.flatMap((part) => part.contended);
  return [
    ...batches.map((batch) => ({ stream: batch[0].stream, query: statement.query(batch) })),
    ...inOrder(statement, contended).map((row) => ({ stream: row.stream, query: statement.contendedQuery(row) })),
  ];
}

function inOrder(statement: AppendStatement, rows: readonly ContendedRow[]): readonly ContendedRow[] {
  const byKey = new Map<string, [ContendedRow, ...ContendedRow[]]>();
  for (const row of rows) if (!byKey.get(row.key)?.push(row)) byKey.set(row.key, [row]);
  const keys = [...byKey].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return keys.flatMap(([, same]) => statement.merged(same));
}
