import { ApiError } from '../api/api-error.js';
import { PROOF_NEEDED } from '../api/error-codes.js';
import { errors } from './frame.js';
import { refusalText } from '../api/refusal-text.js';

/** What a support person reads about an error. */
export function errorText(error: unknown): string {
  if (!(error instanceof ApiError) || error.status >= 500) return errors.server;
  if (error.status === 0) return errors.offline;
  if (error.status === 429) return errors.tooMany(error.retryAfterS ?? 1);
  if (error.has(PROOF_NEEDED)) return errors.unconfirmed;
  if (error.status === 403) return errors.forbidden;
  if (error.status === 412) return errors.stale;
  return error.messages.map(refusalText).join(' ') || errors.refused;
}
