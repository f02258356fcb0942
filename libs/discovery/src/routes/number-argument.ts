import { COUNTED_FIELDS, type NumberBound } from '../search/query/event-search.js';
import type { Argument } from './argument.js';
import { comparisonsOf } from './comparisons.js';

// Programs send computed prices with many decimal places.
const NUMBER = /^-?(?:\d{1,9}(?:\.\d{0,20})?|\.\d{1,20})$/;

const COMPARISONS = COUNTED_FIELDS.flatMap((field) =>
  comparisonsOf(field, 'number; what is not known matches none').map((comparison) => ({ field, ...comparison })),
);

/** The bounds on stats, such as `listing_count.gt` and `lowest_price.lte`. Undefined when there is none. */
export const NUMBER_BOUNDS: Argument<readonly NumberBound[] | undefined> = {
  parameters: COMPARISONS.map(({ parameter }) => parameter),
  read: (args) => {
    const bounds: NumberBound[] = [];
    for (const { field, name, operator } of COMPARISONS) {
      for (const value of args.values(name, 'a number such as 50 or 49.50', numberOf)) {
        bounds.push({ field, operator, value });
      }
    }
    return bounds.length > 0 ? bounds : undefined;
  },
};

function numberOf(text: string): number | undefined {
  return NUMBER.test(text) ? Number(text) : undefined;
}
