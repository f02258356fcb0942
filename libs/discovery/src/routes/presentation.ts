import { HttpError } from '#web/http-error';
import { type AnswerFormat, FORMAT } from './answer-format.js';
import { type Argument, group } from './argument.js';
import type { ArgumentReader } from './argument-reader.js';
import { PARTNER } from './partner-links.js';

/** The output options of all resources. */
export type Presentation = Readonly<{ format: AnswerFormat; partner: string | undefined }>;

export const PRESENTATION: Argument<Presentation> = group({ format: FORMAT, partner: PARTNER });

/** Answers 400 with all issues, once all arguments are read. */
export function rejectIssues({ issues }: ArgumentReader): void {
  if (issues.length === 0) return;
  const errors = issues.map(({ argument, message }) => ({ code: 40001, message: `${argument}: ${message}` }));
  throw new HttpError(400, { errors });
}

/** The same, for a value that is undefined only when there is an issue. */
export function withoutIssues<T extends object>(args: ArgumentReader, value: T | undefined): T {
  rejectIssues(args);
  if (value === undefined) throw new Error('A value is missing and no argument has an issue.');
  return value;
}
