import type { ErrorBody } from '#web/error-body.contract';

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
  const { errors = [] } = (await response.json().catch(() => ({}))) as Partial<ErrorBody>;
  const retryAfter = response.headers.get('retry-after');
  return new ApiError(
    response.status,
    errors.map(({ code }) => code),
    errors.map(({ message }) => message),
    response.headers.get('x-xx-transaction-id'),
    retryAfter === null ? null : Number(retryAfter),
  );
}

/** True if the server knows no such thing, or hides it from this person. */
export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;
