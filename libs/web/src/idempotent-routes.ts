const METHODS = ['POST', 'PATCH'];
const BACK_OFFICE = /^\/backoffice\/v1\//;
/** Nobody is signed in yet, or each call must be recorded. */
const IGNORING = /^\/backoffice\/v1\/(?:session(?:\/|$)|orders\/[^/]+\/personal-data\/reveal$)/;

const MOST_CHARACTERS = 255;

/** The header, for the OpenAPI document. */
export const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Chosen by the caller. The same request with the same key within 24 hours gets the first answer again, with `Idempotent-Replay: true`.',
  schema: { type: 'string', minLength: 1, maxLength: MOST_CHARACTERS },
} as const;

/** Whether a route takes `Idempotency-Key`. `path` has parameters as `:id` or `{id}`. */
export function isIdempotent(method: string, path: string): boolean {
  return METHODS.includes(method.toUpperCase()) && BACK_OFFICE.test(path) && !IGNORING.test(path);
}

export function isIdempotencyKey(value: string): boolean {
  return value.length >= 1 && value.length <= MOST_CHARACTERS;
}
