import { type ErrorBody, errorEntry } from '#contracts/checkout/error-body';
import { type ErrorCode, ERRORS } from '#contracts/checkout/errors';

/** An answer that is an Error body. Thrown where a request is found wanting; the filter sends it as it is. */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    readonly body: ErrorBody,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(body.errors.map(({ code }) => code).join(', '));
  }

  /** The answer of one code; `detail` is our own text, never the request's. */
  static with(code: ErrorCode, detail?: string, headers?: Readonly<Record<string, string>>): HttpError {
    return new HttpError(ERRORS[code].status, { errors: [errorEntry(code, detail)] }, headers);
  }

  /** 404: `what` is what it would be, e.g. `order`. */
  static absent(what: string): HttpError {
    return HttpError.with(40400, `there is no such ${what}`);
  }
}

/** The very value; 404 where there is none. */
export function known<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw HttpError.absent(what);
  return value;
}
