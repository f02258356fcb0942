import type { z } from 'zod';
import { describeIssues } from './issues.contract.js';
import { HttpError } from './http-error.js';
import { parseJson } from './json-body.pipe.js';

/** The body of a route that may be called without one. `ApiOptionalBody` documents it. @throws HttpError 40000 or 40001 */
export function optionalBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const isEmpty = !Buffer.isBuffer(body) || body.length === 0;
  const { data, error } = schema.safeParse(isEmpty ? {} : parseJson(body));
  if (error) throw HttpError.with(40001, describeIssues(error.issues));
  return data as z.output<Schema>;
}
