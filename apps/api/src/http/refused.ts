import { type ErrorBody, errorEntry } from '#contracts/checkout/error-body';
import { type ErrorCode, ERRORS } from '#contracts/checkout/errors';

/** An answer that is an Error body. Thrown where a request is found wanting; the filter sends it as it is. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly body: ErrorBody,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(body.errors.map(({ code }) => code).join(', '));
  }

  /** The answer of one code; `detail` is our own text, never the request's. */
  static with(code: ErrorCode, detail?: string, headers?: Readonly<Record<string, string>>): Refused {
    return new Refused(ERRORS[code].status, { errors: [errorEntry(code, detail)] }, headers);
  }
}
