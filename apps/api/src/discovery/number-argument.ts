import { COUNTED_FIELDS, type NumberBound } from '#catalogue/search/event-search';
import type { ArgumentReader } from './argument-reader.js';
import { operatorOf } from './operators.js';

const NUMBER = /^-?\d{1,9}(?:\.\d{1,6})?$/;

const FIELDS = COUNTED_FIELDS.map((field) => ({ field, names: operatorOf(field) }));

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
