import type { ErrorBody } from '#web/error-body.contract';
import { isObject } from './is-object.js';

/** A refusal by the server, or no answer at all (status 0). */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly codes: readonly number[],
    readonly messages: readonly string[],
    readonly transactionId: string | null,
    readonly retryAfterS: number | null = null,
  ) {
    super(messages[0] ?? `HTTP ${status}`);
  }

  has(code: number): boolean {
    return this.codes.includes(code);
  }
}

export async function apiErrorOf(response: Response): Promise<ApiError> {
  const errors = errorsIn(await response.json().catch(() => undefined));
  const retryAfter = response.headers.get('retry-after');
  return new ApiError(
    response.status,
    errors.map(({ code }) => code),
    errors.map(({ message }) => message),
    response.headers.get('x-xx-transaction-id'),
    retryAfter === null ? null : Number(retryAfter),
  );
}

/** None if the answer is not of the api, e.g. the page of a proxy. */
function errorsIn(body: unknown): ErrorBody['errors'] {
  const { errors } = isObject(body) ? body : {};
  return Array.isArray(errors) ? errors.filter(isError) : [];
}

const isError = (error: unknown): error is ErrorBody['errors'][number] =>
  isObject(error) && typeof error['code'] === 'number' && typeof error['message'] === 'string';

/** True if the server knows no such thing, or hides it from this person. */
export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;
