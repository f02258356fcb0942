/** An answer of the double that is an error. `isExecuted`: Stripe keeps it under the request's key. */
export class StripeDoubleError extends Error {
  constructor(
    readonly status: number,
    readonly fields: Readonly<Record<string, unknown>>,
    readonly isExecuted = true,
  ) {
    super(String(fields.message));
  }

  static refused(code: string, message: string, param?: string): StripeDoubleError {
    return new StripeDoubleError(400, { type: 'invalid_request_error', code, message, ...(param && { param }) });
  }

  static missing(param: string, id: string): StripeDoubleError {
    const message = `No such ${param}: '${id}'`;
    return new StripeDoubleError(
      404,
      { type: 'invalid_request_error', code: 'resource_missing', message, param },
      false,
    );
  }
}
