import { z } from 'zod';
import { MOST_VALUES } from './several.limits.js';

/** One value in a query, several separated by commas, or the argument repeated. */
export function several<T extends z.ZodType>(item: T) {
  return z.preprocess(
    (value) => (value === undefined ? undefined : [value].flat().flatMap(parts)),
    z.array(item).min(1).max(MOST_VALUES).optional(),
  );
}

const parts = (value: unknown) => (typeof value === 'string' ? value.split(',') : [value]);
