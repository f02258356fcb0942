import type { ErrorCode } from '#web/errors.contract';

/** A field is missing or invalid; the message says which. */
export const INVALID_FIELD = 40001 satisfies ErrorCode;
/** What was sent is taken already. */
export const CONFLICT = 40902 satisfies ErrorCode;
export const NOT_SIGNED_IN = 40100 satisfies ErrorCode;
/** Who signs in is not whom the password or code belongs to. */
export const WRONG_CREDENTIALS = 40110 satisfies ErrorCode;
/** The password is right, and a code of the authenticator app is asked for. */
export const CODE_NEEDED = 40111 satisfies ErrorCode;
/** The change wants a proof of who the person is. */
export const PROOF_NEEDED = 40112 satisfies ErrorCode;
/** The role wants an authenticator app, which the person does not have. */
export const AUTHENTICATOR_NEEDED = 40311 satisfies ErrorCode;
/** Somebody else was faster. */
export const STALE = 41201 satisfies ErrorCode;
