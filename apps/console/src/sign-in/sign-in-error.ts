import { ApiError } from '../api/api-error.js';
import { errorText } from '../words/error-text.js';
import { CODE_NEEDED, WRONG_CREDENTIALS } from '../api/error-codes.js';
import { signInWords as words } from './sign-in-words.js';

export const isCodeNeeded = (error: unknown): boolean => error instanceof ApiError && error.has(CODE_NEEDED);

/** @param isKnown whether the person did not enter an e-mail address */
export function signInErrorText(error: unknown, isKnown: boolean): string {
  if (!(error instanceof ApiError)) return errorText(error);
  if (error.has(CODE_NEEDED)) return words.codeNeeded;
  if (error.has(WRONG_CREDENTIALS)) return isKnown ? words.wrongPassword : words.wrong;
  if (error.status === 429) return words.tooMany(Math.ceil((error.retryAfterS ?? 60) / 60));
  return errorText(error);
}
