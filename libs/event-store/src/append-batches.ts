import type { AppendedRows, AppendStatement } from './append-statement.js';

// Each batch size has its own prepared statement, so there are only a few: three appends are sent as a batch of two and one more.
const SIZES = [8, 4, 2, 1];

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

/**
 * The statements for appends of one transaction. Those that wait for no contended row come first, several in a statement. The others
 * follow in the order of their rows, so that two transactions never wait for each other's rows.
 */
export function statementsOf(
  statement: AppendStatement,
  appends: readonly AppendedRows[],
): readonly (readonly [AppendedRows, ...AppendedRows[]])[] {
  const shapes = new Map<string, AppendedRows[]>();
  for (const append of appends.filter((one) => statement.standsAlone(one))) {
    const shape = statement.shapeOf(append);
    shapes.set(shape, [...(shapes.get(shape) ?? []), append]);
  }
  const contended = appends
    .filter((append) => !statement.standsAlone(append))
    .map((append) => ({ append, key: statement.contendedKey(append) ?? '' }))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1));
  return [
    ...[...shapes.values()].flatMap((same) => [...inSizes(same)]),
    ...contended.map(({ append }) => [append] as const),
  ];
}
