import type { Operator } from '#search/query/filters';

const SUFFIXES: readonly (readonly [suffix: string, Operator])[] = [
  ['', 'eq'],
  ['.gt', 'gt'],
  ['.gte', 'gte'],
  ['.lt', 'lt'],
  ['.lte', 'lte'],
];

/** The arguments by which a field is compared, and how each does: `field`, `field.gt`, `field.gte`, … */
export function comparisonsOf(field: string): readonly (readonly [name: string, Operator])[] {
  return SUFFIXES.map(([suffix, operator]) => [`${field}${suffix}`, operator]);
}
