/** Why the document with this id was not written. The rest of its batch was. */
export type LineError = Readonly<{ id: number; message: string }>;

/** Documents by id. */
export type Batch<Line> = ReadonlyMap<number, Line>;

/** Of two documents with the same id the later one wins, as with two PUTs. */
export function batchOf<Line extends { id: number }>(lines: readonly Line[]): Map<number, Line> {
  return new Map(lines.map((line) => [line.id, line]));
}
