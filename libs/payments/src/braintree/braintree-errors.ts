/** What Braintree says of an error (`extensions` in its answer). Its `message` is left out: it may repeat what was sent. */
export type ReportedError = Readonly<{ errorClass: string; legacyCode: string | null; inputPath: readonly string[] }>;

/** Braintree understood the request and did nothing of it. */
export class BraintreeRefusal extends Error {
  constructor(readonly reported: readonly ReportedError[]) {
    const words = reported.map(({ errorClass, legacyCode }) => [errorClass, legacyCode].filter(Boolean).join(' '));
    super(`Braintree refused the request: ${words.join(', ')}`);
  }

  has(...legacyCodes: readonly string[]): boolean {
    return this.reported.some(({ legacyCode }) => legacyCode !== null && legacyCodes.includes(legacyCode));
  }

  /** The same key is still at work, or was used with other values. What it does or did is not known by this answer. */
  get isOfKey(): boolean {
    return this.reported.some(({ inputPath }) => inputPath.includes('apiRequestKey'));
  }

  get isNotFound(): boolean {
    return this.reported.every(({ errorClass }) => errorClass === 'NOT_FOUND');
  }
}

/** Braintree could not be reached, or failed. */
export class BraintreeFault extends Error {
  constructor(
    message: string,
    /** Whether it certainly did nothing of the request. */
    readonly didNothing: boolean,
    /** Milliseconds that it wants us to wait. */
    readonly waitMs = 0,
  ) {
    super(`Braintree: ${message}`);
  }
}

/** It answered, and does not say what it did. */
export class BraintreeInternalError extends BraintreeFault {}

// Of the others, INTERNAL and SERVICE_AVAILABILITY, the reference does not say that nothing was made.
const DID_NOTHING = ['AUTHENTICATION', 'AUTHORIZATION', 'NOT_IMPLEMENTED', 'RESOURCE_LIMIT', 'UNSUPPORTED_CLIENT'];
const REFUSED = ['VALIDATION', 'NOT_FOUND'];

type GraphqlError = Readonly<{
  extensions?: Readonly<{ errorClass?: unknown; legacyCode?: unknown; inputPath?: unknown }>;
}>;

/** The error of an answer that has `errors`. `hasData`: it has a result beside them, so something was done. */
export function reportedError(errors: readonly GraphqlError[], hasData: boolean): BraintreeRefusal | BraintreeFault {
  const reported = errors.map(({ extensions = {} }): ReportedError => {
    const { errorClass, legacyCode, inputPath } = extensions;
    const code = typeof legacyCode === 'string' && /^\d{1,6}$/.test(legacyCode) ? legacyCode : null;
    return {
      // Some of its errors have only a code, which is that of a validation.
      errorClass: isWord(errorClass) ? errorClass : code === null ? 'UNKNOWN' : 'VALIDATION',
      legacyCode: code,
      inputPath: Array.isArray(inputPath) ? inputPath.map(String) : [],
    };
  });
  const classes = [...new Set(reported.map(({ errorClass }) => errorClass))];
  if (!hasData && classes.every((name) => REFUSED.includes(name))) return new BraintreeRefusal(reported);
  if (!hasData && classes.length === 1 && classes[0] === 'INTERNAL')
    return new BraintreeInternalError('INTERNAL', false);
  return new BraintreeFault(classes.join(', '), !hasData && classes.every((name) => DID_NOTHING.includes(name)));
}

const isWord = (value: unknown): value is string => typeof value === 'string' && /^[A-Z_]{1,40}$/.test(value);
