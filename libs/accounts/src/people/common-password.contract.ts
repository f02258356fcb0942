import { dictionary } from '@zxcvbn-ts/language-common';

const COMMON = new Set(dictionary['passwords-common']);

/** A word this long is looked for within what was added to it. Shorter ones are parts of many good passwords. */
const SHORTEST_WORD = 6;

/**
 * Whether a password is one that is tried first: among those that many people have, also in capitals, with digits or signs before or after it
 * (`Password2026!`), or a few characters over and over.
 */
export function isCommonPassword(password: string): boolean {
  const folded = password.normalize('NFKC').toLowerCase();
  const word = folded.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  return COMMON.has(folded) || (word.length >= SHORTEST_WORD && COMMON.has(word)) || /^(.{1,4})\1+$/u.test(folded);
}
