import { z } from 'zod';

/** A day or an instant, as an instant in UTC; a day begins at midnight UTC. */
export const instant = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], 'must be an ISO 8601 date or date-time with an offset')
  .transform((value) => new Date(value).toISOString())
  // PostgreSQL knows no year 0, and none of five digits in this form; an offset can lead to either.
  .refine((value) => /^\d{4}-/.test(value) && !value.startsWith('0000'), 'must be in the years 1 to 9999');
