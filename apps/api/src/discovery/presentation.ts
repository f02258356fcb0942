import { HttpError } from '../http/http-error.js';
import { type AnswerFormat, FORMAT } from './answer-format.js';
import { type Argument, group } from './argument.js';
import type { ArgumentReader } from './argument-reader.js';
import { PARTNER } from './partner-links.js';

/** How an answer is to look: what all resources take. */
export type Presentation = Readonly<{ format: AnswerFormat; partner: string | undefined }>;

export const PRESENTATION: Argument<Presentation> = group({ format: FORMAT, partner: PARTNER });

/** Once all arguments are read: 400 with everything that is wrong with them. */
export function refuseFaults({ faults }: ArgumentReader): void {
  if (faults.length === 0) return;
  const errors = faults.map(({ argument, message }) => ({ code: 40001, message: `${argument}: ${message}` }));
  throw new HttpError(400, { errors });
}

/** The same for a value that is undefined only where there is a fault. */
export function withoutIssues<T extends object>(args: ArgumentReader, value: T | undefined): T {
  refuseFaults(args);
  if (value === undefined) throw new Error('A value is missing and no argument is at fault.');
  return value;
}
