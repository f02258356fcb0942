import { type ErrorBody, errorEntry } from './error-body.contract.js';
import { type ErrorCode, ERRORS } from './errors.contract.js';

/** An error with an Error body. The filter sends it as it is. */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    readonly body: ErrorBody,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(body.errors.map(({ code }) => code).join(', '));
  }

  /** The answer for one code. `detail` is our own text, never text of the request. */
  static with(code: ErrorCode, detail?: string, headers?: Readonly<Record<string, string>>): HttpError {
    return new HttpError(ERRORS[code].status, { errors: [errorEntry(code, detail)] }, headers);
  }

  /** A 429 that says when to try again. */
  static tooMany({ retryAfterS }: Readonly<{ retryAfterS: number }>): HttpError {
    return HttpError.with(42900, undefined, { 'retry-after': String(retryAfterS) });
  }

  /** A 404; `what` names the kind of resource, e.g. `order`. */
  static notFound(what: string): HttpError {
    return HttpError.with(40400, `there is no such ${what}`);
  }
}

/** Returns the value, or throws a 404 if it is undefined. */
export function orNotFound<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw HttpError.notFound(what);
  return value;
}
