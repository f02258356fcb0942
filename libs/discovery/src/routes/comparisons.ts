import type { Operator } from '../search/query/filters.js';
import type { Parameter } from './argument.js';

const SUFFIXES: readonly (readonly [suffix: string, Operator])[] = [
  ['', 'eq'],
  ['.gt', 'gt'],
  ['.gte', 'gte'],
  ['.lt', 'lt'],
  ['.lte', 'lte'],
];

/** One of the arguments that compare a field: `field`, `field.gt`, `field.gte`, … */
type Comparison = Readonly<{ name: string; operator: Operator; parameter: Parameter }>;

export function comparisonsOf(field: string, what: string): readonly Comparison[] {
  return SUFFIXES.map(([suffix, operator]) => {
    const name = `${field}${suffix}`;
    const description = operator === 'eq' ? `exactly this ${what}` : `the same compared (${operator})`;
    return { name, operator, parameter: { name, description } };
  });
}
