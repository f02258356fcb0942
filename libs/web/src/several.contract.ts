import { z } from 'zod';

// Enough for any query of a person or a script.
const MOST = 50;

/** One value in a query, several separated by commas, or the argument repeated. */
export function several<T extends z.ZodType>(item: T) {
  return z.preprocess(
    (value) => (value === undefined ? undefined : [value].flat().flatMap(parts)),
    z.array(item).min(1).max(MOST).optional(),
  );
}

const parts = (value: unknown) => (typeof value === 'string' ? value.split(',') : [value]);
