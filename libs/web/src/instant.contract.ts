import { z } from 'zod';

const DAY_MS = 86_400_000;

/** A day or an instant, as an instant in UTC; a day begins at midnight UTC. */
export const instant = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], 'must be an ISO 8601 date or date-time with an offset')
  .transform((value) => new Date(value).toISOString())
  // PostgreSQL knows no year 0, and none of five digits in this form; an offset can lead to either.
  .refine((value) => /^\d{4}-/.test(value) && !value.startsWith('0000'), 'must be in the years 1 to 9999');

/** The end of a period, exclusive. A day without a time includes that whole day (UTC), as people mean it. */
export const periodEnd = z.preprocess(dayAfter, instant);

/** The midnight (UTC) that ends a day; anything else is returned as it is. */
export function dayAfter(value: unknown): unknown {
  if (!z.iso.date().safeParse(value).success) return value;
  return new Date(Date.parse(value as string) + DAY_MS).toISOString();
}
