import { z } from 'zod';
import { type ErrorCode, ERRORS, NOT_THE_BUYER } from './errors.contract.js';

/** An issue of a request: its code, and the path of the field. It quotes nothing from the request. */
export type ValidationIssue = Readonly<{ code: ErrorCode; field: string }>;

export const ErrorEntry = z
  .object({
    code: z.int().meta({ description: 'reason as a number' }),
    message: z.string().meta({ description: 'for troubleshooting; names the invalid fields' }),
    user_message: z
      .string()
      .optional()
      .meta({ description: 'can be shown to the buyer; in the back office, to staff' }),
  })
  .meta({ id: 'ErrorEntry' });
export type ErrorEntry = z.infer<typeof ErrorEntry>;

/** The body of every error answer. */
export const ErrorBody = z.object({ errors: z.array(ErrorEntry).min(1) }).meta({
  id: 'ErrorBody',
  examples: [
    {
      errors: [
        {
          code: 40011,
          message: 'Quantity selected not available',
          user_message: 'That many tickets are no longer available.',
        },
      ],
    },
  ],
});
export type ErrorBody = z.infer<typeof ErrorBody>;

/** Returns the entry of one code. `detail` is our own text, never text from the request. */
export function errorEntry(code: ErrorCode, detail?: string): ErrorEntry {
  const { message, user_message } = ERRORS[code];
  return { code, message: detail ? `${message}: ${detail}` : message, user_message };
}

/** The same errors for staff, who read what is wrong in place of what a buyer could be told. */
export function errorsForStaff({ errors }: ErrorBody): ErrorBody {
  return {
    errors: errors.map((entry) =>
      entry.user_message === NOT_THE_BUYER ? { ...entry, user_message: entry.message } : entry,
    ),
  };
}

/** Returns one entry per code, in the order of the table. Its message names all invalid fields. */
export function errorBody(issues: readonly ValidationIssue[]): ErrorBody {
  const fields = new Map<ErrorCode, Set<string>>();
  for (const { code, field } of issues) fields.set(code, (fields.get(code) ?? new Set()).add(field));
  const codes = [...fields].sort(([a], [b]) => a - b);
  return { errors: codes.map(([code, names]) => errorEntry(code, [...names].join(', '))) };
}
