import { z } from 'zod';
import { isStorableText } from './text.js';

// RFC 5321.
const LONGEST = 254;

// Names of hosts in any script. Real addresses of some providers have dots at the ends of their first part.
const ADDRESS = /^[^\s@<>()[\]\\,;:"\p{C}]{1,64}@(?:[\p{L}\p{N}\p{M}_-]{1,63}\.)*[\p{L}\p{N}\p{M}_-]{1,63}$/u;

/**
 * Whether the text is one bare e-mail address: without blanks around it, a name (`Ada<ada@example.com>`), a second address or a full stop at
 * its end. Only a mail can prove that it exists.
 */
export function isEmailAddress(text: string): boolean {
  return text.length <= LONGEST && ADDRESS.test(text) && isStorableText(text);
}

/** An e-mail address. Blanks around it are dropped. */
export function emailAddress(error = 'must be an e-mail address') {
  return z.string(error).trim().max(LONGEST, error).refine(isEmailAddress, error);
}

/** The same, or an empty text. */
export function emailAddressOrEmpty(error = 'must be an e-mail address') {
  return z
    .string(error)
    .trim()
    .max(LONGEST, error)
    .refine((text) => text === '' || isEmailAddress(text), error);
}
