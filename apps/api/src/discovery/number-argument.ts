import { COUNTED_FIELDS, type NumberBound } from '#search/query/event-search';
import type { ArgumentReader } from './argument-reader.js';
import { comparisonsOf } from './comparisons.js';

// As many places as a price may be written with that a program has worked out.
const NUMBER = /^-?(?:\d{1,9}(?:\.\d{0,20})?|\.\d{1,20})$/;

const FIELDS = COUNTED_FIELDS.map((field) => ({ field, names: comparisonsOf(field) }));

/** The bounds on stats: `listing_count.gt`, `lowest_price.lte` and the like; undefined when there is none. */
export function readNumberBounds(args: ArgumentReader): readonly NumberBound[] | undefined {
  const bounds: NumberBound[] = [];
  for (const { field, names } of FIELDS) {
    for (const [name, operator] of names) {
      for (const value of args.values(name, 'a number such as 50 or 49.50', numberOf)) {
        bounds.push({ field, operator, value });
      }
    }
  }
  return bounds.length > 0 ? bounds : undefined;
}

function numberOf(text: string): number | undefined {
  return NUMBER.test(text) ? Number(text) : undefined;
}
