import { z } from 'zod';
import { isStorableText } from '#base/text';
import { type ErrorCode, ERRORS } from './errors.contract.js';

/** The default maximum length of a text field, in UTF-16 code units. */
export const MAX_TEXT = 255;

/** Schema parameters that give each issue of a field this error code. `codeOf` reads it. Without it the code is 40001. */
export function coded(code: ErrorCode): { error: string } {
  return { error: String(code) };
}

/** The error code of an issue, by its message. */
export function codeOf(message: string): ErrorCode {
  return Object.hasOwn(ERRORS, message) ? (Number(message) as ErrorCode) : 40001;
}

/** Required text that is not blank. */
export function requiredText(code: ErrorCode = 40001, max = MAX_TEXT) {
  const error = coded(code);
  return z.string(error).min(1, error).max(max, error).refine(isFilledIn, error);
}

/** Text that may be empty, null or absent. */
export function optionalText(code: ErrorCode = 40001) {
  return anyText(code).nullish();
}

/** Required text that may be empty. */
export function anyText(code: ErrorCode = 40001) {
  const error = coded(code);
  return z.string(error).max(MAX_TEXT, error).refine(isStorableText, error);
}

function isFilledIn(text: string): boolean {
  return text.trim() !== '' && isStorableText(text);
}
