import { COUNTED_FIELDS, type NumberBound } from '#catalogue/search/event-search';
import type { ArgumentReader } from './argument-reader.js';
import { operatorOf } from './operators.js';

const AMOUNT = /^-?\d{1,9}(?:\.\d{1,6})?$/;
const COUNT = /^-?\d{1,9}$/;

const FIELDS = COUNTED_FIELDS.map((field) => {
  const isCount = field === 'listing_count';
  const [form, expected] = isCount ? [COUNT, 'a whole number'] : [AMOUNT, 'a number such as 50 or 49.50'];
  return { field, names: operatorOf(field), form, expected };
});

/** The bounds on stats: `listing_count.gt`, `lowest_price.lte` and the like; undefined when there is none. */
export function readNumberBounds(args: ArgumentReader): readonly NumberBound[] | undefined {
  const bounds: NumberBound[] = [];
  for (const { field, names, form, expected } of FIELDS) {
    for (const [name, operator] of names) {
      for (const value of args.values(name, expected, (text) => (form.test(text) ? Number(text) : undefined))) {
        bounds.push({ field, operator, value });
      }
    }
  }
  return bounds.length > 0 ? bounds : undefined;
}
