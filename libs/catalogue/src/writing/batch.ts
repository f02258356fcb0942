/** Why the document with this id was not written; the others of its batch were. */
export type LineError = Readonly<{ id: number; message: string }>;

/** Documents that can be written, each id once. */
export type Batch<Line> = ReadonlyMap<number, Line>;

/** Of two documents with the same id the later one stands, as with two PUTs. */
export function batchOf<Line extends { id: number }>(lines: readonly Line[]): Map<number, Line> {
  return new Map(lines.map((line) => [line.id, line]));
}
